import { type Claims, NO_ORGANIZATION } from '#contract/identity/sessions/session.ts'
import { hasOrganization, isAuthenticated, isVerified, readClaims } from './token.ts'

export const SIGN_IN = '/auth/signin'
export const CHOOSE_ORGANIZATION = '/auth/organization'
export const VERIFY_LOGIN = '/auth/verify-login'
export const HOME = '/dashboard'

type Visit = {
  accessToken: string
  /** The server's clock, in milliseconds. */
  now: number
  /** Path and search the person wants to open. */
  path: string
}

/**
 * Who may enter the shell (specification section 4). With an organization: allowed. Signed in without one:
 * allowed and sent to choose one. Otherwise (an unverified token too): blocked and sent to sign in.
 */
export function guard({ accessToken, now, path }: Visit): { allow: boolean; redirect: string | null } {
  if (!isVerified(accessToken, now)) return { allow: false, redirect: signInFor(path) }
  if (!hasOrganization(accessToken, now)) return { allow: true, redirect: CHOOSE_ORGANIZATION }
  return { allow: true, redirect: null }
}

/** The sign-in page that comes back to `path`; the dashboard is where everyone lands anyway. */
export function signInFor(path: string): string {
  const next = readNext(path)
  return next === null || next === HOME ? SIGN_IN : `${SIGN_IN}?next=${encodeURIComponent(next)}`
}

/** `next` counts only as a path of our own shell: `//elsewhere` and `/\elsewhere` are other hosts. */
export function readNext(next: string | undefined): string | null {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || next === '/') return null
  return next.startsWith('/auth/') ? null : next
}

/**
 * Where signing in leads. Where a second factor is due, there first, and `next` goes along; later it counts only where
 * the organization was taken by itself.
 */
export function afterSignIn(
  { isVerified: verified, organizationId }: Pick<Claims, 'isVerified' | 'organizationId'>,
  next: string | undefined,
): string {
  const wanted = readNext(next)
  if (verified === 'false') {
    return wanted === null ? VERIFY_LOGIN : `${VERIFY_LOGIN}?next=${encodeURIComponent(wanted)}`
  }
  return organizationId === NO_ORGANIZATION ? CHOOSE_ORGANIZATION : (wanted ?? HOME)
}

/** The page of the second factor is for whoever gave their password and nothing else yet; others are sent on. */
export function guardVerifying({
  accessToken,
  now,
  next,
}: Pick<Visit, 'accessToken' | 'now'> & { next: string | undefined }): string | null {
  if (!isAuthenticated(accessToken, now)) return SIGN_IN
  return isVerified(accessToken, now) ? afterSignIn(readClaims(accessToken), next) : null
}
