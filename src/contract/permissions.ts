/** The eight operations. Operation 3 is the create-level check of the specification (section 6). */
export const Opr = {
  list: 1,
  read: 2,
  create: 3,
  update: 4,
  delete: 5,
  export: 6,
  execute: 7,
  administer: 8,
} as const
export type OprNumber = (typeof Opr)[keyof typeof Opr]

const view = [1, 2] as const
const edit = [1, 2, 3, 4, 5] as const
const full = [1, 2, 3, 4, 5, 6] as const

/**
 * Every function with its title and operations. Each operation decides about at least one call
 * (`test/api/identity/every-permission.test.ts`). Numbers are never reused or changed: 6, 11, 15, 19 and 20 come from the
 * specification (section 6), the others are ours. Those of RESERVED_FUNCTIONS wait for their features.
 */
export const Func = {
  dashboard: { func: 1, operations: [1] },
  users: { func: 2, operations: [...full, 8] },
  userTypes: { func: 3, operations: [...full, 8] },
  impersonation: { func: 4, operations: [7] },
  organizations: { func: 5, operations: full },
  organizationWizard: { func: 6, operations: [2, 3, 4] },
  customerDetails: { func: 7, operations: [2, 4] },
  lots: { func: 8, operations: full },
  leadRouting: { func: 9, operations: [...edit, 7] },
  leads: { func: 10, operations: full },
  carbonStart: { func: 11, operations: [2, 3, 4, 5] },
  reportingPeriods: { func: 12, operations: [...view, 7] },
  emissionFactors: { func: 13, operations: full },
  carbonFacility: { func: 15, operations: [2, 3, 4] },
  activityData: { func: 16, operations: edit },
  assignments: { func: 17, operations: [2, 3, 4, 5] },
  evidence: { func: 18, operations: [1, 2, 3, 5] },
  carbonEmission: { func: 19, operations: edit },
  carbonInsights: { func: 20, operations: [1, 2, 3, 6] },
  configureQuestionnaire: { func: 22, operations: [...full, 7] },
  assessments: { func: 23, operations: [...full, 7] },
  review: { func: 24, operations: [2, 4, 7] },
  participants: { func: 25, operations: [1, 3, 4, 5] },
  vehicles: { func: 26, operations: [...full, 7] },
  pricingRules: { func: 27, operations: full },
  dvpForms: { func: 28, operations: [...full, 7] },
  dvpCampaigns: { func: 29, operations: [...full, 7] },
  submissions: { func: 30, operations: [1, 2, 4, 5, 6] },
  emailTemplates: { func: 31, operations: [1, 2, 4, 7] },
  emailHandlers: { func: 32, operations: [...edit, 7] },
  providerMappings: { func: 33, operations: [...full, 7] },
  dataMappings: { func: 34, operations: full },
  dvpLayouts: { func: 35, operations: full },
  media: { func: 36, operations: edit },
  promoPages: { func: 37, operations: [...full, 7] },
  shortUrls: { func: 38, operations: full },
  whiteLabel: { func: 39, operations: edit },
  reports: { func: 40, operations: [1, 6] },
  sessionsOfOthers: { func: 41, operations: [1, 5] },
  auditLog: { func: 42, operations: [1, 2, 6] },
  jobsAndHealth: { func: 46, operations: [...view, 7] },
  dataExport: { func: 48, operations: [1, 6, 7] },
  vehicleCost: { func: 49, operations: [1, 2, 4] },
  customers: { func: 50, operations: [1, 2, 3, 4, 8], isPlatformOnly: true },
  sharedViews: { func: 51, operations: [3] },
} as const satisfies Record<string, FunctionDeclaration>

type FunctionDeclaration = {
  func: number
  operations: readonly OprNumber[]
  /** Only users of the platform's own customer can hold it. It cannot be granted in other customers. */
  isPlatformOnly?: true
}

export type FunctionName = keyof typeof Func
export type Permission = Readonly<{ func: number; opr: number }>
/** The response of `auth-func` (specification section 3). */
export type Permissions = Readonly<{ isSuper: boolean; permissions: readonly Permission[] }>

/** Names a permission. An operation that the function does not have does not compile. */
export function can<F extends FunctionName>(
  fn: (typeof Func)[F],
  opr: (typeof Func)[F]['operations'][number],
): Permission {
  return { func: fn.func, opr }
}

/** Whether only platform staff may hold a function. */
export function isPlatformOnly(func: number): boolean {
  const found: FunctionDeclaration | undefined = Object.values(Func).find((one) => one.func === func)
  return found?.isPlatformOnly === true
}

/** Whether the function exists and has the operation. */
export function isDeclared({ func, opr }: Permission): boolean {
  const found: FunctionDeclaration | undefined = Object.values(Func).find((one) => one.func === func)
  return found?.operations.some((own) => own === opr) === true
}

/** Whether a user holds a permission. Super users hold all of them (specification section 6). */
export function holds(held: Permissions, permission: Permission): boolean {
  return held.isSuper || held.permissions.some((p) => p.func === permission.func && p.opr === permission.opr)
}
