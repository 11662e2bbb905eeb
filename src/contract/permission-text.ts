import { Func, type FunctionName, Opr, type Permission } from './permissions.ts'

/** The names of functions. Apart from their numbers, which every page has. */
export const FUNCTION_TITLES: Readonly<Record<FunctionName, string>> = {
  dashboard: 'Dashboard',
  users: 'Users',
  userTypes: 'User types',
  impersonation: 'Impersonation',
  organizations: 'Organizations',
  organizationWizard: 'Organization wizard',
  customerDetails: 'Customer details',
  lots: 'Lots',
  leadRouting: 'Lead routing',
  leads: 'Leads',
  carbonStart: 'Carbon start',
  reportingPeriods: 'Reporting periods',
  emissionFactors: 'Emission factors',
  carbonFacility: 'Carbon facility',
  activityData: 'Activity data',
  assignments: 'Assignments',
  evidence: 'Evidence',
  carbonEmission: 'Carbon emission',
  carbonInsights: 'Carbon insights',
  configureQuestionnaire: 'Configure questionnaire',
  assessments: 'Assessments',
  review: 'Review',
  participants: 'Participants',
  vehicles: 'Vehicle data',
  pricingRules: 'Pricing rules',
  dvpForms: 'DVP forms',
  dvpCampaigns: 'DVP campaigns',
  submissions: 'Submissions',
  emailTemplates: 'Email templates',
  emailHandlers: 'Email handlers',
  providerMappings: 'Provider mappings',
  dataMappings: 'Data mappings',
  dvpLayouts: 'DVP layouts',
  media: 'Media',
  promoPages: 'Promo pages',
  shortUrls: 'Short URL',
  whiteLabel: 'White label',
  reports: 'Reports',
  sessionsOfOthers: 'Sessions of others',
  auditLog: 'Audit log',
  jobsAndHealth: 'Jobs and health',
  dataExport: 'Data export and erasure',
  vehicleCost: 'Vehicle cost',
  customers: 'All customers',
  sharedViews: 'Shared views',
}

/**
 * Numbers that are kept for features to come. Nothing asks for them, so nobody can hold or grant them. A feature moves its
 * own to `Func`, and its migration grants it.
 */
export const RESERVED_FUNCTIONS: Readonly<Record<number, string>> = {
  14: 'Targets',
  21: 'Disclosure reports',
  43: 'Security policy',
  44: 'API keys',
  45: 'Single sign-on',
  47: 'Appearance',
}

/** The name of a function; undefined if there is none with this number. */
export function functionTitle(func: number): string | undefined {
  const titles: Readonly<Record<string, string>> = FUNCTION_TITLES
  const [name = ''] = Object.entries(Func).find(([, one]) => one.func === func) ?? []
  return titles[name]
}

/** "Lots, delete". Reserved functions are named as well, because old entries of the audit log are about them. */
export function permissionText({ func, opr }: Permission): string {
  const title = functionTitle(func) ?? RESERVED_FUNCTIONS[func]
  const operation = Object.entries(Opr).find(([, number]) => number === opr)?.[0]
  return `${title ?? 'Unknown function'}, ${operation ?? 'unknown'}`
}

/** A permission as error messages name it: "Lots, create (8, 3)". */
export function describe(permission: Permission): string {
  return `${permissionText(permission)} (${permission.func}, ${permission.opr})`
}
