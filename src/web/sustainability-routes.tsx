import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { can, Func, Opr } from '#contract/permissions.ts'
import { shell } from './auth-routes.tsx'
import { type ListSearch, readChoice, readListSearch, readTexts } from './list-search.ts'

/** `factor`: the open drawer, a factor's number or `new`; `region`: of a new one. `drawer`: what else is open. */
type FactorsSearch = ListSearch & {
  factor?: string | undefined
  region?: string | undefined
  drawer?: (typeof FACTOR_DRAWERS)[number] | undefined
}

const FACTOR_DRAWERS = ['edit', 'find', 'import'] as const

const factors = createRoute({
  getParentRoute: () => shell,
  path: '/carbon/factors',
  staticData: { title: 'Emission factors', needs: can(Func.emissionFactors, Opr.list) },
  validateSearch: (search: Record<string, unknown>): FactorsSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['factor', 'region']),
    ...readChoice(search, 'drawer', FACTOR_DRAWERS),
  }),
  component: lazyRouteComponent(() => import('./carbon/factors/FactorsPage.tsx'), 'FactorsPage'),
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
  by?: 'operational' | 'financial' | 'equity' | undefined
}
const readTree = (search: Record<string, unknown>): TreeSearch => ({
  ...readTexts(search, ['facility', 'on']),
  ...readChoice(search, 'by', ['operational', 'financial', 'equity']),
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
  component: lazyRouteComponent(() => import('./organizations/wizard/FacilityStep.tsx'), 'FacilityStep'),
})

/** The pages of organizations and carbon. */
export const sustainabilityRoutes = [
  factors,
  organizations,
  organization,
  organizationStep,
  facilityStep,
] as const
