import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Permission } from '#contract/permissions.ts'
import { guard, guardVerifying, signInFor } from '#web/session/guard.ts'
import type { Session } from '#web/session/session.ts'
import { isVerified } from '#web/session/token.ts'
import { type ListSearch, readTexts } from './list-search.ts'

export type RouterContext = {
  session: Session
  /** Done when the start of the session is; holds what was wrong with the stored token. */
  started: Promise<string | null>
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Who has just been set up, or has a new password, and signs in next. */
    newUserName?: string
    /** The list of people that a person was opened from. */
    usersSearch?: ListSearch
    /** The list of vehicles that one was opened from. */
    vehiclesSearch?: ListSearch
  }
  interface StaticDataRouteOption {
    /** The page's part of the document title. */
    title?: string
    /** Without it the page is not opened but says so: the permission of the page's first call. */
    needs?: Permission
  }
}

export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet })

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
  component: lazyRouteComponent(() => import('./identity/sign-in/SignInPage.tsx'), 'SignInPage'),
})

/** Where Google sends people back to, with its token behind `#`, which no server and no log ever sees. */
const googleReturn = createRoute({
  getParentRoute: () => root,
  path: '/auth/google',
  staticData: { title: 'Sign in' },
  component: lazyRouteComponent(() => import('./identity/sign-in/GoogleReturnPage.tsx'), 'GoogleReturnPage'),
})

/** Where the one-time link of an empty installation leads: the contract's SET_UP_PATH, whose schemas stay behind. */
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/auth/set-up',
  staticData: { title: 'Set up' },
  validateSearch: (search: Record<string, unknown>): { token?: string } => readTexts(search, ['token']),
  component: lazyRouteComponent(() => import('./identity/sign-in/SetUpPage.tsx'), 'SetUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/auth/forgot-password',
  staticData: { title: 'Forgot Password' },
  component: lazyRouteComponent(
    () => import('./identity/passwords/ForgotPasswordPage.tsx'),
    'ForgotPasswordPage',
  ),
})

/** Where a mailed link leads: its word stands in the fragment, which no server and no log ever sees. */
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/auth/reset-password',
  staticData: { title: 'Reset Password' },
  component: lazyRouteComponent(
    () => import('./identity/passwords/ResetPasswordPage.tsx'),
    'ResetPasswordPage',
  ),
})

const verifyLogin = createRoute({
  getParentRoute: () => root,
  path: '/auth/verify-login',
  staticData: { title: 'Verify Login' },
  validateSearch: (search: Record<string, unknown>): { next?: string } => readTexts(search, ['next']),
  beforeLoad: async ({ context: { session, started }, search: { next } }) => {
    await started
    const { accessToken, now } = session
    const elsewhere = guardVerifying({ accessToken, now, next })
    if (elsewhere !== null) throw redirect({ href: elsewhere })
  },
  component: lazyRouteComponent(
    () => import('./identity/second-factor/VerifyLoginPage.tsx'),
    'VerifyLoginPage',
  ),
})

const chooseOrganization = createRoute({
  getParentRoute: () => root,
  path: '/auth/organization',
  staticData: { title: 'Choose an organization' },
  beforeLoad: async ({ context: { session, started }, location }) => {
    await started
    if (!isVerified(session.accessToken, session.now)) throw redirect({ href: signInFor(location.href) })
  },
  component: lazyRouteComponent(
    () => import('./identity/sign-in/ChooseOrganizationPage.tsx'),
    'OrganizationPage',
  ),
})

/** What one sees signed in: every other page stands in it. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context: { session, started }, location }) => {
    await started
    const visit = guard({ accessToken: session.accessToken, now: session.now, path: location.href })
    if (visit.redirect !== null) throw redirect({ href: visit.redirect })
  },
  component: lazyRouteComponent(() => import('./shell/layout/Shell.tsx'), 'Shell'),
})

/** Before one is signed in, and on the way. */
export const authRoutes = [
  home,
  signIn,
  googleReturn,
  setUp,
  forgotPassword,
  resetPassword,
  verifyLogin,
  chooseOrganization,
] as const
