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
  /** The name of the type above, which stands before it in the list; null at the top. */
  parent: string | null
  permissions: readonly Permission[]
  /** Whether its people are asked for a second factor; where it is not said, whoever reaches buyers' data is. */
  requiresSecondFactor?: boolean
}

/** Leads and submissions tell of buyers. */
export function reachesCustomerData(permissions: readonly Permission[]): boolean {
  const telling: readonly number[] = [Func.leads.func, Func.submissions.func]
  return permissions.some(({ func }) => telling.includes(func))
}

const everyFunction = Object.values(Func)

function grants(names: readonly FunctionName[], wanted: (opr: OprNumber) => boolean): Permission[] {
  return names.flatMap((name) => {
    const { func, operations } = Func[name]
    return operations.filter(wanted).map((opr) => ({ func, opr }))
  })
}
const all = everyFunction.flatMap(({ func, operations }) => operations.map((opr) => ({ func, opr })))
/** All that anybody in a customer may hold. */
const allOfCustomer = all.filter(({ func }) => !isPlatformOnly(func))
const view = (...names: FunctionName[]): Permission[] =>
  grants(names, (opr) => opr === Opr.list || opr === Opr.read)
const edit = (...names: FunctionName[]): Permission[] => grants(names, (opr) => opr !== Opr.administer)

/** What the platform's own people may be. */
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

/** What every new customer starts with. The first one is its administrator's. */
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
        'reports',
      ),
      ...edit(
        'lots',
        'leads',
        'vehicles',
        'pricingRules',
        'dvpForms',
        'dvpCampaigns',
        'submissions',
        'media',
      ),
      ...edit('promoPages', 'shortUrls', 'leadRouting', 'dvpLayouts'),
    ],
  },
  {
    name: 'Sustainability manager',
    reach: 'organization',
    parent: 'Customer administrator',
    permissions: [
      ...view('dashboard', 'lots', 'vehicles', 'organizations', 'reports'),
      ...edit(
        'organizationWizard',
        'carbonStart',
        'reportingPeriods',
        'emissionFactors',
        'targets',
        'carbonFacility',
      ),
      ...edit(
        'activityData',
        'assignments',
        'evidence',
        'carbonEmission',
        'carbonInsights',
        'disclosureReports',
      ),
      ...edit('configureQuestionnaire', 'assessments', 'review', 'participants'),
    ],
  },
  {
    // Sees what is there and changes nothing; the insights step is gated by its create level (specification, section 6).
    name: 'Auditor',
    reach: 'organization',
    parent: 'Customer administrator',
    permissions: [
      ...allOfCustomer.filter(({ opr }) => opr === Opr.list || opr === Opr.read || opr === Opr.export),
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
