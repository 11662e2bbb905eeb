import { createRoute, redirect } from '@tanstack/react-router'
import { can, Func, holds, Opr } from '#contract/permissions.ts'
import { ACCESS, DASHBOARD, guard, guardVerifying, HOME, signInFor } from '#web/session/guard.ts'
import { isVerified } from '#web/session/token.ts'
import { readTexts, type Search } from './list-search.ts'
import { bare, load, root } from './page-route.ts'

/** The start, and the pages before an organization is chosen. */
export const signInPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    // The dashboard of those who may open it; else the first page of the user's menu, or what they may do without one.
    beforeLoad: async ({ context: { session, started } }) => {
      await started
      const visit = guard({ accessToken: session.accessToken, now: session.now, path: HOME })
      if (visit.redirect !== null) throw redirect({ href: visit.redirect, replace: true })
      const permissions = await session.readPermissions()
      const isDashboard = permissions === null || holds(permissions, can(Func.dashboard, Opr.list))
      const first = isDashboard ? null : await (await import('#web/session/home-page.ts')).readFirstPage()
      throw redirect({ href: first ?? (isDashboard ? DASHBOARD : ACCESS), replace: true })
    },
  }),
  createRoute({
    ...bare('/auth/signin', 'Sign in'),
    validateSearch: (given: Search) => readTexts(given, ['next']),
    component: load(() => import('./identity/sign-in/SignInPage.tsx'), 'SignInPage'),
  }),
  // Google sends the user back here with its token in the fragment, which no server or log sees.
  createRoute({
    ...bare('/auth/google', 'Sign in'),
    component: load(() => import('./identity/sign-in/GoogleReturnPage.tsx'), 'GoogleReturnPage'),
  }),
  // The contract's SET_UP_PATH. The path is repeated here so that the schemas are not loaded with the first page.
  createRoute({
    ...bare('/auth/set-up', 'Set up'),
    validateSearch: (given: Search) => readTexts(given, ['token']),
    component: load(() => import('./identity/sign-in/SetUpPage.tsx'), 'SetUpPage'),
  }),
  createRoute({
    ...bare('/auth/forgot-password', 'Forgot Password'),
    component: load(() => import('./identity/passwords/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
  }),
  // The emailed link has its secret in the fragment, which no server or log sees.
  createRoute({
    ...bare('/auth/reset-password', 'Reset Password'),
    component: load(() => import('./identity/passwords/ForgotPasswordPage.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    ...bare('/auth/verify-login', 'Verify Login'),
    validateSearch: (given: Search) => readTexts(given, ['next']),
    beforeLoad: async ({ context: { session, started }, search: { next } }) => {
      await started
      const elsewhere = guardVerifying({ accessToken: session.accessToken, now: session.now, next })
      if (elsewhere !== null) throw redirect({ href: elsewhere })
    },
    component: load(() => import('./identity/second-factor/VerifyLoginPage.tsx'), 'VerifyLoginPage'),
  }),
  createRoute({
    ...bare('/auth/organization', 'Choose an organization'),
    validateSearch: (given: Search) => readTexts(given, ['next']),
    beforeLoad: async ({ context: { session, started }, location }) => {
      await started
      if (!isVerified(session.accessToken, session.now)) throw redirect({ href: signInFor(location.href) })
    },
    component: load(() => import('./identity/sign-in/ChooseOrganizationPage.tsx'), 'OrganizationPage'),
  }),
] as const
