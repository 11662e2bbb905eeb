import { type Claims, NO_ORGANIZATION } from '#contract/identity/sessions/session.ts'
import { hasOrganization, isAuthenticated, isVerified, readClaims } from './token.ts'

export const SIGN_IN = '/auth/signin'
export const CHOOSE_ORGANIZATION = '/auth/organization'
export const VERIFY_LOGIN = '/auth/verify-login'
/** Leads to the first page of the user's menu. */
export const HOME = '/'
export const DASHBOARD = '/dashboard'
/** What the user may do, for those who have no page in the menu. */
export const ACCESS = '/account/access'

type Visit = {
  accessToken: string
  /** The server's clock, in milliseconds. */
  now: number
  /** Requested path and search. */
  path: string
}

/**
 * Who may enter the shell (specification section 4). With an organization: allowed. Signed in without one:
 * allowed, and redirected to choose one. Otherwise, including with an unverified token: blocked and
 * redirected to sign in.
 */
export function guard({ accessToken, now, path }: Visit): { allow: boolean; redirect: string | null } {
  if (!isVerified(accessToken, now)) return { allow: false, redirect: signInFor(path) }
  if (!hasOrganization(accessToken, now)) return { allow: true, redirect: chooseOrganizationFor(path) }
  return { allow: true, redirect: null }
}

/** URL of the sign-in page that returns to `path`. The dashboard isn't included: it is the default of those who may open it. */
export function signInFor(path: string): string {
  return withNext(SIGN_IN, path)
}

/** URL of the choice of an organization that returns to `path`. */
export function chooseOrganizationFor(path: string): string {
  return withNext(CHOOSE_ORGANIZATION, path)
}

function withNext(page: string, path: string | undefined): string {
  const next = readNext(path)
  return next === null || next === DASHBOARD ? page : `${page}?next=${encodeURIComponent(next)}`
}

/** Accepts `next` only as a path of our own shell: `//elsewhere` and `/\elsewhere` are other hosts. */
export function readNext(next: string | undefined): string | null {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || next === '/') return null
  return next.startsWith('/auth/') ? null : next
}

/** Where to go after sign-in. A second factor that is due and the choice of an organization come first, and keep `next`. */
export function afterSignIn(
  { isVerified: verified, organizationId }: Pick<Claims, 'isVerified' | 'organizationId'>,
  next: string | undefined,
): string {
  if (verified === 'false') return withNext(VERIFY_LOGIN, next)
  return organizationId === NO_ORGANIZATION ? withNext(CHOOSE_ORGANIZATION, next) : (readNext(next) ?? HOME)
}

/** The second factor page is only for users who have given just their password. Others are redirected. */
export function guardVerifying({
  accessToken,
  now,
  next,
}: Pick<Visit, 'accessToken' | 'now'> & { next: string | undefined }): string | null {
  if (!isAuthenticated(accessToken, now)) return SIGN_IN
  return isVerified(accessToken, now) ? afterSignIn(readClaims(accessToken), next) : null
}
