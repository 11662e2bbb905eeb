import { type Claims, NO_ORGANIZATION } from '#contract/identity/sessions/session.ts'
import { parseRecord, readNumber, readText } from '#web/api/read-json.ts'

const NOT_A_TOKEN = 'This does not look like a token: it must have three parts.'

/** The claims of an access token, unverified: only the server can verify them. Throws if it isn't a token. */
export function readClaims(accessToken: string): Claims {
  const [, payload, ...rest] = accessToken.split('.')
  if (payload === undefined || rest.length !== 1) throw new Error(NOT_A_TOKEN)
  const claims = readPayload(payload)
  if (claims === null) throw new Error(NOT_A_TOKEN)
  return {
    exp: readNumber(claims, 'exp'),
    iat: readNumber(claims, 'iat'),
    gen: readNumber(claims, 'gen'),
    sid: readText(claims, 'sid'),
    isVerified: claims['isVerified'] === 'true' ? 'true' : 'false',
    customerId: readText(claims, 'customerId'),
    userId: readText(claims, 'userId'),
    userName: readText(claims, 'userName'),
    impersonateUserId: readText(claims, 'impersonateUserId'),
    impersonateUserName: readText(claims, 'impersonateUserName'),
    impersonateUserTypeId: readText(claims, 'impersonateUserTypeId'),
    organizationId: readText(claims, 'organizationId'),
    organizationName: readText(claims, 'organizationName'),
  }
}

/**
 * Whether the token is expired at `now` (the server's clock, in milliseconds). An empty token counts as
 * expired.
 */
export function isExpired(accessToken: string, now: number): boolean {
  return accessToken === '' || readClaims(accessToken).exp * 1000 <= now
}

/** Specification section 4: a token exists and has not expired. */
export function isAuthenticated(accessToken: string, now: number): boolean {
  return !isExpired(accessToken, now)
}

/** Specification section 4: authenticated, with no second factor due. */
export function isVerified(accessToken: string, now: number): boolean {
  return isAuthenticated(accessToken, now) && readClaims(accessToken).isVerified === 'true'
}

/** Specification section 4: a valid token that names an organization. */
export function hasOrganization(accessToken: string, now: number): boolean {
  if (!isAuthenticated(accessToken, now)) return false
  const { organizationId, organizationName } = readClaims(accessToken)
  return organizationId !== NO_ORGANIZATION && organizationName !== ''
}

/**
 * Whether the session is verified, in an organization and not impersonating, so that signing in again
 * restores the same session.
 */
export function canResume(accessToken: string, now: number): boolean {
  if (!isVerified(accessToken, now) || !hasOrganization(accessToken, now)) return false
  const { userId, impersonateUserId } = readClaims(accessToken)
  return userId === impersonateUserId
}

/**
 * Whether the token belongs to the same user, but before the second factor or before an organization was
 * chosen.
 */
export function isPartialSignIn(accessToken: string, before: Claims | null): boolean {
  const { userId, isVerified: verified, organizationId } = readClaims(accessToken)
  return userId === before?.userId && (verified === 'false' || organizationId === NO_ORGANIZATION)
}

/** Base64url of UTF-8, because names have accents. Null if it is anything else. */
function readPayload(payload: string): Record<string, unknown> | null {
  try {
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return parseRecord(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
