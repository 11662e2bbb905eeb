import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { can, Func, Opr } from '#contract/permissions.ts'
import { authRoutes, root, shell, type RouterContext } from './auth-routes.tsx'
import { feedRoutes } from './feed-routes.tsx'
import { FirstLoad } from './FirstLoad.tsx'
import { type ListSearch, readChoice, readListSearch, readTexts } from './list-search.ts'
import { inventoryRoutes } from './inventory-routes.tsx'
import { sustainabilityRoutes } from './sustainability-routes.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

const dashboard = createRoute({
  getParentRoute: () => shell,
  path: '/dashboard',
  staticData: { title: 'Dashboard', needs: can(Func.dashboard, Opr.list) },
  component: lazyRouteComponent(() => import('./home/dashboard/DashboardPage.tsx'), 'DashboardPage'),
})

/** `lot`: the open drawer, a lot's number or `new`. */
type LotsSearch = ListSearch & { lot?: string | undefined }

const lots = createRoute({
  getParentRoute: () => shell,
  path: '/customers/lots',
  staticData: { title: 'Lots', needs: can(Func.lots, Opr.list) },
  validateSearch: (search: Record<string, unknown>): LotsSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['lot']),
  }),
  component: lazyRouteComponent(() => import('./customers/lots/LotsPage.tsx'), 'LotsPage'),
})

const users = createRoute({
  getParentRoute: () => shell,
  path: '/administration/users',
  staticData: { title: 'Users', needs: can(Func.users, Opr.list) },
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./identity/users/UsersPage.tsx'), 'UsersPage'),
})

const USER_TABS = ['profile', 'permissions', 'sessions', 'activity'] as const

/** One person, or `new`. */
const user = createRoute({
  getParentRoute: () => shell,
  path: '/administration/users/$id',
  staticData: { title: 'User' },
  validateSearch: (search: Record<string, unknown>): { tab?: (typeof USER_TABS)[number] } =>
    readChoice(search, 'tab', USER_TABS),
  component: lazyRouteComponent(() => import('./identity/users/UserPage.tsx'), 'UserPage'),
})

const TYPE_DRAWERS = ['new', 'copy', 'edit'] as const

/** `type`: the number of the one whose permissions are open. */
type UserTypesSearch = ListSearch & {
  type?: string | undefined
  drawer?: (typeof TYPE_DRAWERS)[number] | undefined
}

const userTypes = createRoute({
  getParentRoute: () => shell,
  path: '/administration/user-types',
  staticData: { title: 'User types', needs: can(Func.userTypes, Opr.list) },
  validateSearch: (search: Record<string, unknown>): UserTypesSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['type']),
    ...readChoice(search, 'drawer', TYPE_DRAWERS),
  }),
  component: lazyRouteComponent(() => import('./identity/user-types/UserTypesPage.tsx'), 'UserTypesPage'),
})

/** `customer`: the open drawer, a customer's number or `new`. */
type CustomersSearch = ListSearch & { customer?: string | undefined }

const customers = createRoute({
  getParentRoute: () => shell,
  path: '/customers',
  staticData: { title: 'All customers', needs: can(Func.customers, Opr.list) },
  validateSearch: (search: Record<string, unknown>): CustomersSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['customer']),
  }),
  component: lazyRouteComponent(() => import('./customers/customers/CustomersPage.tsx'), 'CustomersPage'),
})

const people = createRoute({
  getParentRoute: () => shell,
  path: '/customers/people',
  staticData: { title: 'Find people', needs: can(Func.customers, Opr.list) },
  validateSearch: (search: Record<string, unknown>): ListSearch & { customer?: string | undefined } => ({
    ...readListSearch(search),
    ...readTexts(search, ['customer']),
  }),
  component: lazyRouteComponent(
    () => import('./customers/users/UsersOfAllCustomersPage.tsx'),
    'UsersOfAllCustomersPage',
  ),
})

const details = createRoute({
  getParentRoute: () => shell,
  path: '/customers/details',
  staticData: { title: 'Details', needs: can(Func.customerDetails, Opr.read) },
  component: lazyRouteComponent(() => import('./customers/details/DetailsPage.tsx'), 'DetailsPage'),
})

/** `job`: the open drawer. */
type JobsSearch = ListSearch & { job?: string | undefined }

const jobs = createRoute({
  getParentRoute: () => shell,
  path: '/jobs',
  staticData: { title: 'Jobs' },
  validateSearch: (search: Record<string, unknown>): JobsSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['job']),
  }),
  component: lazyRouteComponent(() => import('./home/jobs/JobsPage.tsx'), 'JobsPage'),
})

const reports = createRoute({
  getParentRoute: () => shell,
  path: '/administration/reports',
  staticData: { title: 'Reports', needs: can(Func.reports, Opr.list) },
  component: lazyRouteComponent(() => import('./reports/ReportsPage.tsx'), 'ReportsPage'),
})

/** `mail`: the open drawer. */
type OutboxSearch = ListSearch & { mail?: string | undefined }

const outbox = createRoute({
  getParentRoute: () => shell,
  path: '/administration/outbox',
  staticData: { title: 'Outbox', needs: can(Func.emailHandlers, Opr.list) },
  validateSearch: (search: Record<string, unknown>): OutboxSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['mail']),
  }),
  component: lazyRouteComponent(() => import('./mail/outbox/OutboxPage.tsx'), 'OutboxPage'),
})

/** `folder`: the open one, by its path. `picture`: the one that is looked at, by its name in there. */
type MediaSearch = {
  folder?: string | undefined
  search?: string | undefined
  picture?: string | undefined
}

const media = createRoute({
  getParentRoute: () => shell,
  path: '/administration/media',
  staticData: { title: 'Media', needs: can(Func.media, Opr.list) },
  validateSearch: (search: Record<string, unknown>): MediaSearch =>
    readTexts(search, ['folder', 'search', 'picture']),
  component: lazyRouteComponent(() => import('./files/MediaPage.tsx'), 'MediaPage'),
})

const health = createRoute({
  getParentRoute: () => shell,
  path: '/administration/health',
  staticData: { title: 'Health', needs: can(Func.jobsAndHealth, Opr.read) },
  component: lazyRouteComponent(() => import('./home/health/HealthPage.tsx'), 'HealthPage'),
})

/** `handler`: the open drawer, a handler's number or `new`. */
type HandlersSearch = ListSearch & { handler?: string | undefined }

const emailHandlers = createRoute({
  getParentRoute: () => shell,
  path: '/administration/email-handlers',
  staticData: { title: 'Email handlers', needs: can(Func.emailHandlers, Opr.list) },
  validateSearch: (search: Record<string, unknown>): HandlersSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['handler']),
  }),
  component: lazyRouteComponent(() => import('./mail/handlers/HandlersPage.tsx'), 'HandlersPage'),
})

/** `template`: the open drawer, by the key of the mail. */
type TemplatesSearch = ListSearch & { template?: string | undefined }

const emailTemplates = createRoute({
  getParentRoute: () => shell,
  path: '/administration/email-templates',
  staticData: { title: 'Email templates', needs: can(Func.emailTemplates, Opr.list) },
  validateSearch: (search: Record<string, unknown>): TemplatesSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['template']),
  }),
  component: lazyRouteComponent(() => import('./mail/templates/TemplatesPage.tsx'), 'TemplatesPage'),
})

const suppressed = createRoute({
  getParentRoute: () => shell,
  path: '/administration/suppressed-addresses',
  staticData: { title: 'Suppressed addresses', needs: can(Func.emailHandlers, Opr.list) },
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./mail/suppressed/SuppressedPage.tsx'), 'SuppressedPage'),
})

/** One's own second factor: everybody's, whatever they may do. */
const security = createRoute({
  getParentRoute: () => shell,
  path: '/account/security',
  staticData: { title: 'Security' },
  component: lazyRouteComponent(() => import('./identity/second-factor/SecurityPage.tsx'), 'SecurityPage'),
})

/** `entry`: the open drawer. */
type AuditSearch = ListSearch & { entry?: string | undefined }

const auditLog = createRoute({
  getParentRoute: () => shell,
  path: '/administration/audit-log',
  staticData: { title: 'Audit log', needs: can(Func.auditLog, Opr.list) },
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['entry']),
  }),
  component: lazyRouteComponent(() => import('./administration/audit-log/AuditPage.tsx'), 'AuditPage'),
})

const ownSessions = createRoute({
  getParentRoute: () => shell,
  path: '/account/sessions',
  staticData: { title: 'Your sessions' },
  component: lazyRouteComponent(() => import('./identity/sessions/SessionsPage.tsx'), 'SessionsPage'),
})

/** `domain`: the open drawer, a domain's number or `new`. */
type WhiteLabelsSearch = ListSearch & { domain?: string | undefined }

const whiteLabels = createRoute({
  getParentRoute: () => shell,
  path: '/administration/domain-white-label',
  staticData: { title: 'White label', needs: can(Func.whiteLabel, Opr.list) },
  validateSearch: (search: Record<string, unknown>): WhiteLabelsSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['domain']),
  }),
  component: lazyRouteComponent(() => import('./identity/branding/WhiteLabelsPage.tsx'), 'WhiteLabelsPage'),
})

const admin = createRoute({
  getParentRoute: () => shell,
  path: '/admin',
  staticData: { title: 'Administration' },
  component: lazyRouteComponent(() => import('./shell/layout/AdminPage.tsx'), 'AdminPage'),
})

const unknown = createRoute({
  getParentRoute: () => shell,
  path: '$',
  staticData: { title: 'Not found' },
  component: lazyRouteComponent(() => import('./shell/layout/NotFoundPage.tsx'), 'NotFoundPage'),
})

export const tree = root.addChildren([
  ...authRoutes,
  shell.addChildren([
    dashboard,
    admin,
    security,
    customers,
    people,
    lots,
    details,
    jobs,
    reports,
    health,
    outbox,
    media,
    emailHandlers,
    emailTemplates,
    suppressed,
    whiteLabels,
    users,
    user,
    userTypes,
    auditLog,
    ownSessions,
    ...inventoryRoutes,
    ...feedRoutes,
    ...sustainabilityRoutes,
    unknown,
  ]),
])

/** The map of the product. Search parameters are plain text: no quotes around numbers in a shared link. */
export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree: tree,
    context,
    defaultPreload: 'intent',
    defaultPendingComponent: FirstLoad,
    defaultErrorComponent: lazyRouteComponent(() => import('./shell/layout/ErrorView.tsx'), 'ErrorView'),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}
