// Every page of the product: its path, title, permission, search parameters and component, in the order of the menu.
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { can, Func, Opr } from '#contract/permissions.ts'
import { ACCESS } from '#web/session/guard.ts'
import { BOARD_STATES } from '#contract/assessments/targets/board-states.ts'
import { BOARD_SORTS } from './assessments/assessments/board/board-search.ts'
import { STEP_IDS, TAB_IDS } from './assessments/assessments/page-parts.ts'
import { FirstLoad } from './FirstLoad.tsx'
import { ROW_VIEWS } from './feeds/runs/row-views.ts'
import { marketingPages } from './marketing-routes.ts'
import { signInPages } from './sign-in-routes.ts'
import {
  type ListSearch,
  readChoice,
  readListSearch,
  readPage,
  readTexts,
  type Search,
} from './list-search.ts'
import {
  bare,
  documentListPage,
  listPage,
  load,
  page,
  root,
  type RouterContext,
  shell,
} from './page-route.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface HistoryState {
    /** The user name that was just set up or has a new password, for the sign-in form. */
    newUserName?: string
    /** The session ended because its user was away, for the sign-in page. */
    isIdle?: boolean
    /** Why the session was ended elsewhere, for the sign-in page. */
    endedBecause?: string
    /** The organization that the user no longer has access to, for the choice of another one. */
    lostOrganization?: string
    /** The list of users that the user's page was opened from. */
    usersSearch?: ListSearch
    /** The list of vehicles that the vehicle's page was opened from. */
    vehiclesSearch?: ListSearch
  }
}

const participantPages = [
  // The contract's PARTICIPANTS_PAGE, for people without an account. The token of their link is in the fragment.
  // `task`: the open questionnaire; `section`: the section shown on a phone.
  createRoute({
    ...bare('/participants', 'Questionnaires'),
    validateSearch: (given: Search) => readTexts(given, ['task', 'section']),
    component: load(() => import('./participants/area/ParticipantsPage.tsx'), 'ParticipantsPage'),
  }),
] as const

// In search parameters, a record's ID or `new` opens its drawer: `lot`, `vehicle`, `channel` and so on.

const homePages = [
  createRoute({
    ...page('/dashboard', 'Dashboard', can(Func.dashboard, Opr.list)),
    component: load(() => import('./home/dashboard/DashboardPage.tsx'), 'DashboardPage'),
  }),
  createRoute({
    ...page('/jobs', 'Jobs'),
    validateSearch: (given: Search) => ({ ...readListSearch(given), ...readTexts(given, ['job']) }),
    component: load(() => import('./home/jobs/JobsPage.tsx'), 'JobsPage'),
  }),
] as const

const customerPages = [
  createRoute({
    ...listPage('/customers', 'All customers', can(Func.customers, Opr.list), 'customer'),
    component: load(() => import('./customers/customers/CustomersPage.tsx'), 'CustomersPage'),
  }),
  createRoute({
    ...listPage('/customers/people', 'Find users', can(Func.customers, Opr.list), 'customer'),
    component: load(() => import('./customers/users/UsersOfAllCustomersPage.tsx'), 'UsersOfAllCustomersPage'),
  }),
  createRoute({
    ...page('/customers/details', 'Details', can(Func.customerDetails, Opr.read)),
    component: load(() => import('./DetailsWithEffects.tsx'), 'DetailsWithEffects'),
  }),
  createRoute({
    ...page('/customers/leads', 'Leads', can(Func.leads, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readListSearch(given),
      ...readTexts(given, ['lead', 'person', 'store']),
      ...readChoice(given, 'queue', [
        'mine',
        'unassigned',
        'open',
        'noStore',
        'undelivered',
        'quarantined',
        'all',
      ]),
      ...readChoice(given, 'layout', ['table']),
      ...readChoice(given, 'panel', ['responses', 'settings', 'templates', 'data', 'moved', 'team']),
    }),
    component: load(() => import('./leads/inbox/LeadsPage.tsx'), 'LeadsPage'),
  }),
  createRoute({
    ...page('/customers/lead-routing', 'Lead routing', can(Func.leadRouting, Opr.list)),
    validateSearch: (given: Search) => readTexts(given, ['rule']),
    component: load(() => import('./leads/routing/rules/RulesPage.tsx'), 'RulesPage'),
  }),
  createRoute({
    ...page('/customers/lead-routing/destinations', 'Lead destinations', can(Func.leadRouting, Opr.list)),
    validateSearch: (given: Search) => readTexts(given, ['destination']),
    component: load(() => import('./leads/destinations/DestinationsPage.tsx'), 'DestinationsPage'),
  }),
  createRoute({
    ...listPage(
      '/customers/lead-routing/deliveries',
      'Lead deliveries',
      can(Func.leadRouting, Opr.list),
      'delivery',
    ),
    component: load(() => import('./leads/deliveries/DeliveriesPage.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    ...page('/customers/lead-routing/webhooks', 'Lead webhooks', can(Func.leadRouting, Opr.list)),
    validateSearch: (given: Search) => readTexts(given, ['webhook']),
    component: load(() => import('./leads/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...page('/customers/lead-routing/inbound', 'Inbound leads', can(Func.leadRouting, Opr.list)),
    validateSearch: (given: Search) => readTexts(given, ['address', 'message', 'from', 'state', 'page']),
    component: load(() => import('./leads/inbound/InboundPage.tsx'), 'InboundPage'),
  }),
  createRoute({
    ...listPage('/customers/lots', 'Lots', can(Func.lots, Opr.list), 'lot'),
    component: load(() => import('./LotsWithEffects.tsx'), 'LotsWithEffects'),
  }),
] as const

const inventoryPages = [
  createRoute({
    ...page('/inventory/vehicle-data', 'Vehicle data', can(Func.vehicles, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readListSearch(given),
      ...readTexts(given, ['vehicle']),
      ...readChoice(given, 'panel', ['photos']),
    }),
    // Older links name a vehicle by its ID here.
    beforeLoad: ({ search: { vehicle } }) => {
      if (vehicle === undefined || vehicle === 'new') return
      throw redirect({ to: '/inventory/vehicle-data/$id', params: { id: vehicle }, replace: true })
    },
    component: load(() => import('./vehicles/vehicles/VehiclesPage.tsx'), 'VehiclesPage'),
  }),
  // `fields`: keys of the custom fields to show, separated by commas.
  createRoute({
    ...page('/inventory/vehicle-data/edit-grid', 'Edit vehicles', can(Func.vehicles, Opr.list)),
    validateSearch: (given: Search) => ({ ...readListSearch(given), ...readTexts(given, ['fields']) }),
    component: load(() => import('./vehicles/vehicles/grid/VehicleGridPage.tsx'), 'VehicleGridPage'),
  }),
  createRoute({
    ...page('/inventory/vehicle-data/$id', 'Vehicle', can(Func.vehicles, Opr.read)),
    validateSearch: (given: Search) => ({
      ...readChoice(given, 'tab', ['data', 'media', 'price', 'channels', 'timeline']),
      ...readChoice(given, 'drawer', ['edit']),
    }),
    component: load(() => import('./VehicleWithTabs.tsx'), 'VehicleWithTabs'),
  }),
  createRoute({
    ...page('/inventory/feeds', 'Feeds', can(Func.vehicles, Opr.list)),
    validateSearch: readListSearch,
    component: load(() => import('./feeds/runs/FeedsPage.tsx'), 'FeedsPage'),
  }),
  createRoute({
    ...page('/inventory/feeds/$id', 'Feed', can(Func.vehicles, Opr.read)),
    validateSearch: (given: Search) => ({
      ...readChoice(given, 'rows', ROW_VIEWS),
      ...readPage(given),
      ...readTexts(given, ['search']),
    }),
    component: load(() => import('./feeds/runs/FeedRunPage.tsx'), 'FeedRunPage'),
  }),
  createRoute({
    ...page('/inventory/feeds/sources', 'Feed sources', can(Func.vehicles, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readListSearch(given),
      ...readTexts(given, ['source']),
      ...readChoice(given, 'part', ['deliveries']),
    }),
    component: load(() => import('./feeds/sources/SourcesPage.tsx'), 'SourcesPage'),
  }),
  createRoute({
    ...page('/inventory/channels', 'Channels', can(Func.providerMappings, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readListSearch(given),
      ...readTexts(given, ['channel']),
      ...readChoice(given, 'part', ['runs']),
    }),
    component: load(() => import('./channels/channels/ChannelsPage.tsx'), 'ChannelsPage'),
  }),
  createRoute({
    ...page('/inventory/pricing-rules', 'Pricing rules', can(Func.pricingRules, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readListSearch(given),
      ...readTexts(given, ['rule']),
      ...readChoice(given, 'panel', ['approvals']),
    }),
    component: load(() => import('./pricing/rules/PricingRulesPage.tsx'), 'PricingRulesPage'),
  }),
  createRoute({
    ...listPage('/inventory/advertised-prices', 'Advertised prices', can(Func.vehicles, Opr.list), 'price'),
    component: load(() => import('./pricing/advertised/AdvertisedPricesPage.tsx'), 'AdvertisedPricesPage'),
  }),
  createRoute({
    ...page('/administration/provider-mappings', 'Provider mappings', can(Func.providerMappings, Opr.list)),
    validateSearch: readListSearch,
    component: load(() => import('./feeds/mappings/MappingPage.tsx'), 'ProviderMappingsPage'),
  }),
  createRoute({
    ...page(
      '/administration/provider-mappings/$id',
      'Provider mapping',
      can(Func.providerMappings, Opr.read),
    ),
    validateSearch: (given: Search) => readTexts(given, ['run']),
    component: load(() => import('./feeds/mappings/MappingPage.tsx'), 'MappingPage'),
  }),
  createRoute({
    ...page('/administration/data-mappings', 'Data mappings', can(Func.dataMappings, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readListSearch(given),
      ...readTexts(given, ['value']),
      ...readChoice(given, 'panel', ['built-in', 'apply']),
    }),
    component: load(() => import('./feeds/values/DataMappingsPage.tsx'), 'DataMappingsPage'),
  }),
  createRoute({
    ...listPage(
      '/administration/unmapped-values',
      'Unmapped values',
      can(Func.dataMappings, Opr.list),
      'value',
    ),
    component: load(() => import('./feeds/values/DataMappingsPage.tsx'), 'UnmappedPage'),
  }),
] as const

const questionnairePages = [
  createRoute({
    ...documentListPage(
      '/configure-questionnaire',
      'Questionnaires',
      can(Func.configureQuestionnaire, Opr.list),
      ['new', 'import'],
    ),
    component: load(
      () => import('./questionnaires/questionnaires/QuestionnairesPage.tsx'),
      'QuestionnairesPage',
    ),
  }),
  createRoute({
    ...page('/configure-questionnaire/$id', 'Questionnaire', can(Func.configureQuestionnaire, Opr.read)),
    validateSearch: (given: Search) =>
      readChoice(given, 'tab', ['scoring', 'translations', 'try', 'versions', 'settings']),
    component: load(() => import('./questionnaires/editor/QuestionnairePage.tsx'), 'QuestionnairePage'),
  }),
] as const

const CONSOLIDATIONS = ['operational', 'financial', 'equity'] as const
const SCOPE2_METHODS = ['location', 'market'] as const
/** The facility tree. `on`: the day shown; `by`: the consolidation approach. */
const readTree = (given: Search) => ({
  ...readTexts(given, ['organization', 'facility', 'on']),
  ...readChoice(given, 'by', CONSOLIDATIONS),
})

const organizationPages = [
  createRoute({
    ...page('/organizations', 'Organizations', can(Func.organizations, Opr.list)),
    validateSearch: readListSearch,
    component: load(() => import('./organizations/OrganizationsPage.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    ...page('/organizations/$id', 'Organization'),
    validateSearch: readTree,
    component: load(() => import('./organizations/OrganizationPage.tsx'), 'OrganizationPage'),
  }),
  // The steps of the wizard (specification, section 2). Without `organization`: the session's.
  createRoute({
    ...page('/organizations/organization', 'Set up an organization'),
    validateSearch: (given: Search) => readTexts(given, ['organization']),
    component: load(() => import('./organizations/wizard/OrganizationStep.tsx'), 'OrganizationStep'),
  }),
  createRoute({
    ...page('/organizations/facility', 'Facilities'),
    validateSearch: readTree,
    component: load(() => import('./organizations/wizard/OrganizationStep.tsx'), 'SetUpFacilityStep'),
  }),
] as const

const carbonPages = [
  createRoute({
    ...page('/carbon', 'Carbon', can(Func.reportingPeriods, Opr.list)),
    validateSearch: readListSearch,
    component: load(() => import('./carbon/inventories/InventoriesPage.tsx'), 'InventoriesPage'),
  }),
  // The steps of one inventory (specification, section 2).
  createRoute({
    ...page('/carbon/start', 'Start'),
    validateSearch: (given: Search) => readTexts(given, ['inventory']),
    component: load(() => import('./carbon/inventories/start/StartStep.tsx'), 'StartStep'),
  }),
  createRoute({
    ...page('/carbon/facility', 'Facility'),
    validateSearch: (given: Search) => readTexts(given, ['inventory']),
    component: load(
      () => import('./carbon/inventories/facilities/InventoryFacilitiesStep.tsx'),
      'InventoryFacilitiesStep',
    ),
  }),
  // `source`: whose activity data is open; `request`: only the cells of one data request; `facility`: whose open items are shown.
  createRoute({
    ...page('/carbon/emission', 'Emission'),
    validateSearch: (given: Search) => ({
      ...readTexts(given, ['inventory', 'source', 'request', 'facility']),
      ...readChoice(given, 'tab', ['assignments', 'activity', 'review', 'imported']),
      ...readChoice(given, 'drawer', ['import']),
      ...readChoice(given, 'show', ['unusual', 'missing', 'estimated', 'unanswered']),
    }),
    component: load(() => import('./carbon/inventories/emission-sources/EmissionStep.tsx'), 'EmissionStep'),
  }),
  // `line`: the total whose calculation lines are open; `result`: the line that is explained.
  createRoute({
    ...page('/carbon/insights', 'Insights'),
    validateSearch: (given: Search) => ({
      ...readTexts(given, ['inventory', 'line', 'result']),
      ...readChoice(given, 'method', SCOPE2_METHODS),
    }),
    component: load(() => import('./carbon/results/insights/InsightsStep.tsx'), 'InsightsStep'),
  }),
  createRoute({
    ...listPage('/carbon/ledger', 'Ledger', can(Func.carbonInsights, Opr.list), 'result'),
    component: load(() => import('./carbon/results/ledger/LedgerPage.tsx'), 'LedgerPage'),
  }),
  createRoute({
    ...page('/carbon/compare', 'Compare inventories', can(Func.carbonInsights, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readTexts(given, ['before', 'after']),
      ...readChoice(given, 'method', SCOPE2_METHODS),
    }),
    component: load(() => import('./carbon/results/comparison/ComparePage.tsx'), 'ComparePage'),
  }),
  createRoute({
    ...page('/carbon/group', 'Group', can(Func.carbonInsights, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readTexts(given, ['year']),
      ...readChoice(given, 'boundary', CONSOLIDATIONS),
    }),
    component: load(() => import('./carbon/results/group/GroupPage.tsx'), 'GroupPage'),
  }),
  // `region`, `activity`, `unit`, `scope`: what a new factor is for.
  createRoute({
    ...page('/carbon/factors', 'Emission factors', can(Func.emissionFactors, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readListSearch(given),
      ...readTexts(given, ['factor', 'region', 'activity', 'unit', 'scope']),
      ...readChoice(given, 'drawer', ['edit', 'find', 'import']),
    }),
    component: load(() => import('./carbon/factors/FactorsPage.tsx'), 'FactorsPage'),
  }),
] as const

const assessmentPages = [
  createRoute({
    ...page('/assessments', 'Assessments', can(Func.assessments, Opr.list)),
    validateSearch: readListSearch,
    component: load(() => import('./assessments/assessments/AssessmentsPage.tsx'), 'AssessmentsPage'),
  }),
  // `questionnaire`: chosen already, from the page of a questionnaire.
  createRoute({
    ...page('/assessments/new', 'New assessment', can(Func.assessments, Opr.create)),
    validateSearch: (given: Search) => readTexts(given, ['questionnaire']),
    component: load(
      () => import('./assessments/assessments/wizard/NewAssessmentPage.tsx'),
      'NewAssessmentPage',
    ),
  }),
  // `step`: of a draft. `tab`, and what the board shows: of an open or closed one.
  createRoute({
    ...page('/assessments/$id', 'Assessment', can(Func.assessments, Opr.read)),
    validateSearch: (given: Search) => ({
      ...readChoice(given, 'tab', TAB_IDS),
      ...readChoice(given, 'step', STEP_IDS),
      ...readChoice(given, 'state', BOARD_STATES),
      ...readChoice(given, 'sort', BOARD_SORTS),
      ...readTexts(given, ['search']),
    }),
    component: load(() => import('./AssessmentWithPeople.tsx'), 'AssessmentWithPeople'),
  }),
  createRoute({
    ...page('/assessments/$id/targets/$targetId', 'Answers'),
    validateSearch: (given: Search) => readTexts(given, ['section', 'question']),
    component: load(() => import('./assessments/targets/TargetPage.tsx'), 'TargetPage'),
  }),
] as const

const administrationPages = [
  createRoute({
    ...page('/admin', 'Administration'),
    component: load(() => import('./shell/layout/AdminPage.tsx'), 'AdminPage'),
  }),
  createRoute({
    ...page('/administration/users', 'Users', can(Func.users, Opr.list)),
    validateSearch: readListSearch,
    component: load(() => import('./identity/users/UsersPage.tsx'), 'UsersPage'),
  }),
  createRoute({
    ...page('/administration/users/$id', 'User'),
    validateSearch: (given: Search) =>
      readChoice(given, 'tab', ['profile', 'permissions', 'sessions', 'activity']),
    component: load(() => import('./identity/users/UserPage.tsx'), 'UserPage'),
  }),
  createRoute({
    ...page('/administration/user-types', 'User types', can(Func.userTypes, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readListSearch(given),
      ...readTexts(given, ['type']),
      ...readChoice(given, 'drawer', ['new', 'copy', 'edit']),
    }),
    component: load(() => import('./identity/user-types/UserTypesPage.tsx'), 'UserTypesPage'),
  }),
  createRoute({
    ...listPage(
      '/administration/domain-white-label',
      'White label',
      can(Func.whiteLabel, Opr.list),
      'domain',
    ),
    component: load(() => import('./identity/branding/WhiteLabelsPage.tsx'), 'WhiteLabelsPage'),
  }),
  createRoute({
    ...listPage('/administration/audit-log', 'Audit log', can(Func.auditLog, Opr.list), 'entry'),
    component: load(() => import('./administration/audit-log/AuditPage.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...page('/administration/reports', 'Reports', can(Func.reports, Opr.list)),
    component: load(() => import('./reports/ReportsPage.tsx'), 'ReportsPage'),
  }),
  createRoute({
    ...page('/administration/media', 'Media', can(Func.media, Opr.list)),
    validateSearch: (given: Search) => ({
      ...readTexts(given, ['folder', 'search', 'picture']),
      ...readChoice(given, 'show', ['duplicates', 'no-alt-text']),
    }),
    component: load(() => import('./files/MediaPage.tsx'), 'MediaPage'),
  }),
  createRoute({
    ...page('/administration/health', 'Health', can(Func.jobsAndHealth, Opr.read)),
    component: load(() => import('./home/health/HealthPage.tsx'), 'HealthPage'),
  }),
  createRoute({
    ...listPage('/administration/outbox', 'Outbox', can(Func.emailHandlers, Opr.list), 'mail'),
    component: load(() => import('./mail/outbox/OutboxPage.tsx'), 'OutboxPage'),
  }),
  createRoute({
    ...listPage(
      '/administration/email-handlers',
      'Email handlers',
      can(Func.emailHandlers, Opr.list),
      'handler',
    ),
    component: load(() => import('./mail/handlers/HandlersPage.tsx'), 'HandlersPage'),
  }),
  createRoute({
    ...listPage(
      '/administration/email-templates',
      'Email templates',
      can(Func.emailTemplates, Opr.list),
      'template',
    ),
    component: load(() => import('./mail/templates/TemplatesPage.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    ...page(
      '/administration/suppressed-addresses',
      'Suppressed addresses',
      can(Func.emailHandlers, Opr.list),
    ),
    validateSearch: readListSearch,
    component: load(() => import('./mail/suppressed/SuppressedPage.tsx'), 'SuppressedPage'),
  }),
] as const

const accountPages = [
  // Where those start whose permissions open no page.
  createRoute({
    ...page(ACCESS, 'Your access'),
    component: load(() => import('./identity/users/AccessPage.tsx'), 'AccessPage'),
  }),
  createRoute({
    ...page('/account/security', 'Security'),
    component: load(() => import('./identity/second-factor/SecurityPage.tsx'), 'SecurityPage'),
  }),
  createRoute({
    ...page('/account/sessions', 'Your sessions'),
    component: load(() => import('./identity/sessions/SessionsPage.tsx'), 'SessionsPage'),
  }),
] as const

// Inside addChildren its type would be lost, and with it the types of all links.
const notFound = createRoute({
  ...page('$', 'Not found'),
  component: load(() => import('./shell/layout/NotFoundPage.tsx'), 'NotFoundPage'),
})

export const tree = root.addChildren([
  ...signInPages,
  ...participantPages,
  shell.addChildren([
    ...homePages,
    ...customerPages,
    ...inventoryPages,
    ...marketingPages,
    ...questionnairePages,
    ...organizationPages,
    ...carbonPages,
    ...assessmentPages,
    ...administrationPages,
    ...accountPages,
    notFound,
  ]),
])

/** The router. Search parameters are plain text: no quotes around numbers in a shared link. */
export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree: tree,
    context,
    defaultPreload: 'intent',
    defaultPendingComponent: FirstLoad,
    defaultErrorComponent: load(() => import('./shell/layout/ErrorView.tsx'), 'ErrorView'),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}
