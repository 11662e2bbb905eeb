import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { type ListSearch, readListSearch, readTexts } from './list-search.ts'
import { guard, signInFor } from '#web/session/guard.ts'
import type { Session } from '#web/session/session.ts'
import { isVerified } from '#web/session/token.ts'
import { FirstLoad } from './FirstLoad.tsx'

export type RouterContext = {
  session: Session
  /** Done when the start of the session is; holds what was wrong with the stored token. */
  started: Promise<string | null>
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Who has just been set up and signs in next. */
    newUserName?: string
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** The page's part of the document title. */
    title?: string
  }
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/auth/signin',
  staticData: { title: 'Sign in' },
  validateSearch: (search: Record<string, unknown>): { next?: string } => readTexts(search, ['next']),
  component: lazyRouteComponent(() => import('./identity/SignInPage.tsx'), 'SignInPage'),
})

/** Where the one-time link of an empty installation leads: the contract's SET_UP_PATH, whose schemas stay behind. */
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/auth/set-up',
  staticData: { title: 'Set up' },
  validateSearch: (search: Record<string, unknown>): { token?: string } => readTexts(search, ['token']),
  component: lazyRouteComponent(() => import('./identity/SetUpPage.tsx'), 'SetUpPage'),
})

const chooseOrganization = createRoute({
  getParentRoute: () => root,
  path: '/auth/organization',
  staticData: { title: 'Choose an organization' },
  beforeLoad: async ({ context: { session, started }, location }) => {
    await started
    if (!isVerified(session.accessToken, session.now)) throw redirect({ href: signInFor(location.href) })
  },
  component: lazyRouteComponent(() => import('./identity/OrganizationPage.tsx'), 'OrganizationPage'),
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context: { session, started }, location }) => {
    await started
    const visit = guard({ accessToken: session.accessToken, now: session.now, path: location.href })
    if (visit.redirect !== null) throw redirect({ href: visit.redirect })
  },
  component: lazyRouteComponent(() => import('./shell/Shell.tsx'), 'Shell'),
})

const dashboard = createRoute({
  getParentRoute: () => shell,
  path: '/dashboard',
  staticData: { title: 'Dashboard' },
  component: lazyRouteComponent(() => import('./home/dashboard/DashboardPage.tsx'), 'DashboardPage'),
})

/** `lot`: the open drawer, a lot's number or `new`. `missing`: only lots that lack this. */
type LotsSearch = ListSearch & { lot?: string | undefined; missing?: 'address' | undefined }

const lots = createRoute({
  getParentRoute: () => shell,
  path: '/customers/lots',
  staticData: { title: 'Lots' },
  validateSearch: (search: Record<string, unknown>): LotsSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['lot']),
    ...(search['missing'] === 'address' && { missing: 'address' }),
  }),
  component: lazyRouteComponent(() => import('./customers/lots/LotsPage.tsx'), 'LotsPage'),
})

const unknown = createRoute({
  getParentRoute: () => shell,
  path: '$',
  staticData: { title: 'Not found' },
  component: lazyRouteComponent(() => import('./shell/NotFoundPage.tsx'), 'NotFoundPage'),
})

const tree = root.addChildren([
  home,
  signIn,
  setUp,
  chooseOrganization,
  shell.addChildren([dashboard, lots, unknown]),
])

/** The map of the product. Search parameters are plain text: no quotes around numbers in a shared link. */
export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree: tree,
    context,
    defaultPreload: 'intent',
    defaultPendingComponent: FirstLoad,
    defaultErrorComponent: lazyRouteComponent(() => import('./shell/ErrorView.tsx'), 'ErrorView'),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}
