import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { can, Func, Opr } from '#contract/permissions.ts'
import { shell } from './auth-routes.tsx'
import { type ListSearch, readChoice, readListSearch, readTexts } from './list-search.ts'

/**
 * `factor`: the open drawer, a factor's number or `new`. `region`, `activity`, `unit`, `scope`: what a new one is for.
 * `drawer`: what else is open.
 */
type FactorsSearch = ListSearch & {
  factor?: string | undefined
  region?: string | undefined
  activity?: string | undefined
  unit?: string | undefined
  scope?: string | undefined
  drawer?: (typeof FACTOR_DRAWERS)[number] | undefined
}

const FACTOR_DRAWERS = ['edit', 'find', 'import'] as const

const factors = createRoute({
  getParentRoute: () => shell,
  path: '/carbon/factors',
  staticData: { title: 'Emission factors', needs: can(Func.emissionFactors, Opr.list) },
  validateSearch: (search: Record<string, unknown>): FactorsSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['factor', 'region', 'activity', 'unit', 'scope']),
    ...readChoice(search, 'drawer', FACTOR_DRAWERS),
  }),
  component: lazyRouteComponent(() => import('./carbon/factors/FactorsPage.tsx'), 'FactorsPage'),
})

const inventories = createRoute({
  getParentRoute: () => shell,
  path: '/carbon',
  staticData: { title: 'Carbon', needs: can(Func.reportingPeriods, Opr.list) },
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./carbon/inventories/InventoriesPage.tsx'), 'InventoriesPage'),
})

/** The steps of one inventory (specification, section 2): `inventory` is a number, or `new` for the first of them. */
type InventorySearch = { inventory?: string | undefined }
const readInventory = (search: Record<string, unknown>): InventorySearch => readTexts(search, ['inventory'])

const carbonStart = createRoute({
  getParentRoute: () => shell,
  path: '/carbon/start',
  staticData: { title: 'Start' },
  validateSearch: readInventory,
  component: lazyRouteComponent(() => import('./carbon/inventories/start/StartStep.tsx'), 'StartStep'),
})

const carbonFacility = createRoute({
  getParentRoute: () => shell,
  path: '/carbon/facility',
  staticData: { title: 'Facility' },
  validateSearch: readInventory,
  component: lazyRouteComponent(
    () => import('./carbon/inventories/facilities/InventoryFacilitiesStep.tsx'),
    'FacilityStep',
  ),
})

/**
 * `tab`: without it the assignments. `source`: whose activity is open. `drawer`: a file is brought in beside it.
 * `request`: only what one mail asked for. `show`: of the review only what wants a look.
 */
type EmissionSearch = InventorySearch & {
  drawer?: 'import' | undefined
  tab?: (typeof EMISSION_TABS)[number] | undefined
  source?: string | undefined
  request?: string | undefined
  show?: 'unusual' | undefined
}

const EMISSION_TABS = ['assignments', 'activity', 'review', 'imported'] as const

const carbonEmission = createRoute({
  getParentRoute: () => shell,
  path: '/carbon/emission',
  staticData: { title: 'Emission' },
  validateSearch: (search: Record<string, unknown>): EmissionSearch => ({
    ...readInventory(search),
    ...readTexts(search, ['source', 'request']),
    ...readChoice(search, 'tab', EMISSION_TABS),
    ...readChoice(search, 'drawer', ['import']),
    ...readChoice(search, 'show', ['unusual']),
  }),
  component: lazyRouteComponent(
    () => import('./carbon/inventories/emission-sources/EmissionStep.tsx'),
    'EmissionStep',
  ),
})

/** `line`: the number whose rows are open; `result`: the row that is explained; `method`: of scope 2 in the charts. */
type InsightsSearch = InventorySearch & {
  line?: string | undefined
  result?: string | undefined
  method?: (typeof SCOPE2_METHODS)[number] | undefined
}

const SCOPE2_METHODS = ['location', 'market'] as const

const carbonInsights = createRoute({
  getParentRoute: () => shell,
  path: '/carbon/insights',
  staticData: { title: 'Insights' },
  validateSearch: (search: Record<string, unknown>): InsightsSearch => ({
    ...readInventory(search),
    ...readTexts(search, ['line', 'result']),
    ...readChoice(search, 'method', SCOPE2_METHODS),
  }),
  component: lazyRouteComponent(() => import('./carbon/results/insights/InsightsStep.tsx'), 'InsightsStep'),
})

/** `before` and `after`: the two inventories; without `before` the one that ended last before. */
type CompareSearch = {
  before?: string | undefined
  after?: string | undefined
  method?: (typeof SCOPE2_METHODS)[number] | undefined
}

const carbonCompare = createRoute({
  getParentRoute: () => shell,
  path: '/carbon/compare',
  staticData: { title: 'Compare inventories', needs: can(Func.carbonInsights, Opr.list) },
  validateSearch: (search: Record<string, unknown>): CompareSearch => ({
    ...readTexts(search, ['before', 'after']),
    ...readChoice(search, 'method', SCOPE2_METHODS),
  }),
  component: lazyRouteComponent(() => import('./carbon/results/comparison/ComparePage.tsx'), 'ComparePage'),
})

/** `year`: in which the inventories end; without it the latest with something to sum. */
type GroupSearch = { year?: string | undefined; boundary?: (typeof BOUNDARIES)[number] | undefined }

const BOUNDARIES = ['operational', 'financial', 'equity'] as const

const carbonGroup = createRoute({
  getParentRoute: () => shell,
  path: '/carbon/group',
  staticData: { title: 'Group', needs: can(Func.carbonInsights, Opr.list) },
  validateSearch: (search: Record<string, unknown>): GroupSearch => ({
    ...readTexts(search, ['year']),
    ...readChoice(search, 'boundary', BOUNDARIES),
  }),
  component: lazyRouteComponent(() => import('./carbon/results/group/GroupPage.tsx'), 'GroupPage'),
})

const organizations = createRoute({
  getParentRoute: () => shell,
  path: '/organizations',
  staticData: { title: 'Organizations', needs: can(Func.organizations, Opr.list) },
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./organizations/OrganizationsPage.tsx'), 'OrganizationsPage'),
})

/** `facility`: the open drawer, a number or `new`; `on`: the day shown; `by`: how facilities are counted. */
type TreeSearch = {
  facility?: string | undefined
  on?: string | undefined
  by?: (typeof BOUNDARIES)[number] | undefined
}
const readTree = (search: Record<string, unknown>): TreeSearch => ({
  ...readTexts(search, ['facility', 'on']),
  ...readChoice(search, 'by', BOUNDARIES),
})

const organization = createRoute({
  getParentRoute: () => shell,
  path: '/organizations/$id',
  staticData: { title: 'Organization' },
  validateSearch: readTree,
  component: lazyRouteComponent(() => import('./organizations/OrganizationPage.tsx'), 'OrganizationPage'),
})

/** The wizard (specification, section 2): `organization` is a number or `new`, without it the one acted in. */
const organizationStep = createRoute({
  getParentRoute: () => shell,
  path: '/organizations/organization',
  staticData: { title: 'Set up an organization' },
  validateSearch: (search: Record<string, unknown>): { organization?: string | undefined } =>
    readTexts(search, ['organization']),
  component: lazyRouteComponent(
    () => import('./organizations/wizard/OrganizationStep.tsx'),
    'OrganizationStep',
  ),
})

const facilityStep = createRoute({
  getParentRoute: () => shell,
  path: '/organizations/facility',
  staticData: { title: 'Facilities' },
  validateSearch: (search: Record<string, unknown>): TreeSearch & { organization?: string | undefined } => ({
    ...readTexts(search, ['organization']),
    ...readTree(search),
  }),
  component: lazyRouteComponent(() => import('./organizations/wizard/SetUpFacilityStep.tsx'), 'FacilityStep'),
})

/** The pages of organizations and carbon. */
export const sustainabilityRoutes = [
  inventories,
  carbonStart,
  carbonFacility,
  carbonEmission,
  carbonInsights,
  carbonCompare,
  carbonGroup,
  factors,
  organizations,
  organization,
  organizationStep,
  facilityStep,
] as const
