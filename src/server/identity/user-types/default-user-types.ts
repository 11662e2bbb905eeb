import {
  Func,
  isPlatformOnly,
  Opr,
  type FunctionName,
  type OprNumber,
  type Permission,
} from '#contract/permissions.ts'

export type DefaultUserType = {
  name: string
  reach: 'organization' | 'customer'
  /** Name of the parent type, which comes earlier in the list; null at the top. */
  parent: string | null
  permissions: readonly Permission[]
  /** Whether its users need a second factor. By default they do if they can see buyers' data. */
  requiresSecondFactor?: boolean
}

/** Leads and submissions contain personal data of buyers. */
export function reachesCustomerData(permissions: readonly Permission[]): boolean {
  const buyerData: readonly number[] = [Func.leads.func, Func.submissions.func]
  return permissions.some(({ func }) => buyerData.includes(func))
}

const everyFunction = Object.values(Func)

function grants(names: readonly FunctionName[], wanted: (opr: OprNumber) => boolean): Permission[] {
  return names.flatMap((name) => {
    const { func, operations } = Func[name]
    return operations.filter(wanted).map((opr) => ({ func, opr }))
  })
}
const all = everyFunction.flatMap(({ func, operations }) => operations.map((opr) => ({ func, opr })))
/** All permissions that users of a customer can have. */
const allOfCustomer = all.filter(({ func }) => !isPlatformOnly(func))
const view = (...names: FunctionName[]): Permission[] =>
  grants(names, (opr) => opr === Opr.list || opr === Opr.read)
const edit = (...names: FunctionName[]): Permission[] => grants(names, (opr) => opr !== Opr.administer)

/** User types of the platform's own users. */
export const PLATFORM_USER_TYPES: readonly DefaultUserType[] = [
  { name: 'Super user', reach: 'customer', parent: null, permissions: all },
  { name: 'Platform administrator', reach: 'customer', parent: 'Super user', permissions: all },
  {
    name: 'Support agent',
    reach: 'customer',
    parent: 'Platform administrator',
    permissions: all.filter(({ func, opr }) => opr <= Opr.read || func === Func.impersonation.func),
  },
]

/** User types that every new customer starts with. The first one is for its administrator. */
export const CUSTOMER_USER_TYPES: readonly DefaultUserType[] = [
  { name: 'Customer administrator', reach: 'customer', parent: null, permissions: allOfCustomer },
  {
    name: 'Dealer user',
    reach: 'organization',
    parent: 'Customer administrator',
    permissions: [
      ...view(
        'dashboard',
        'customerDetails',
        'emailTemplates',
        'providerMappings',
        'dataMappings',
        'dvpLayouts',
        'reports',
      ),
      ...edit('lots', 'leads', 'vehicles', 'pricingRules', 'dvpForms', 'submissions', 'media'),
      ...edit('promoPages', 'shortUrls', 'dvpCampaigns'),
      ...edit('leadRouting', 'sharedViews'),
    ],
  },
  {
    name: 'Sustainability manager',
    reach: 'organization',
    parent: 'Customer administrator',
    permissions: [
      ...view('dashboard', 'lots', 'vehicles', 'organizations', 'reports'),
      ...edit('organizationWizard', 'carbonStart', 'reportingPeriods', 'emissionFactors', 'carbonFacility'),
      ...edit('activityData', 'assignments', 'evidence', 'carbonEmission', 'carbonInsights'),
      ...edit('configureQuestionnaire', 'assessments', 'review', 'participants', 'sharedViews'),
    ],
  },
  {
    // Read-only, and without buyers and how to reach them. The insights step requires the create level (specification, section 6).
    name: 'Auditor',
    reach: 'organization',
    parent: 'Customer administrator',
    permissions: [
      ...allOfCustomer.filter(
        (permission) =>
          [Opr.list, Opr.read, Opr.export].some((opr) => opr === permission.opr) &&
          !reachesCustomerData([permission]),
      ),
      { func: Func.carbonInsights.func, opr: Opr.create },
    ],
  },
  {
    name: 'Participant',
    reach: 'organization',
    parent: 'Customer administrator',
    permissions: view('dashboard'),
  },
]
