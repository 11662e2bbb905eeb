import type { FunctionName } from './permissions.ts'

/** The functions in the order and groups of the permission matrix. */
export const FUNCTION_GROUPS: readonly { title: string; names: readonly FunctionName[] }[] = [
  {
    title: 'Dashboard and customers',
    names: ['dashboard', 'customers', 'users', 'lots', 'leadRouting', 'leads', 'customerDetails'],
  },
  {
    title: 'Inventory',
    names: ['vehicles', 'vehicleCost', 'pricingRules', 'providerMappings', 'dataMappings'],
  },
  {
    title: 'Forms and campaigns',
    names: ['dvpForms', 'dvpCampaigns', 'submissions', 'promoPages', 'dvpLayouts', 'shortUrls', 'media'],
  },
  {
    title: 'Sustainability',
    names: [
      ...([
        'organizations',
        'organizationWizard',
        'carbonStart',
        'reportingPeriods',
        'emissionFactors',
      ] as const),
      ...([
        'carbonFacility',
        'activityData',
        'assignments',
        'evidence',
        'carbonEmission',
        'carbonInsights',
      ] as const),
    ],
  },
  { title: 'Assessments', names: ['configureQuestionnaire', 'assessments', 'review', 'participants'] },
  {
    title: 'Administration',
    names: [
      ...(['userTypes', 'impersonation', 'sessionsOfOthers', 'auditLog'] as const),
      ...(['emailTemplates', 'emailHandlers', 'whiteLabel', 'reports', 'sharedViews'] as const),
      ...(['jobsAndHealth', 'dataExport'] as const),
    ],
  },
]
