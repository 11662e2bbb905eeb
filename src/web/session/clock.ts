import { REFRESH_BEFORE_EXPIRY_SECONDS } from '#contract/identity/sessions/session.ts'
import type { OwnToken } from './store.ts'
import { readClaims } from './token.ts'

/**
 * How far the server's clock is ahead of the browser's, in milliseconds, derived from the token: when it was
 * stored, `expiresIn` seconds were left until `exp`.
 */
export function serverAhead(token: OwnToken): number {
  if (token.accessToken === '' || token.storedAt === 0) return 0
  return (readClaims(token.accessToken).exp - token.expiresIn) * 1000 - token.storedAt
}

/**
 * When the refresh is due, by the browser's clock: 60 s before the token expires, or halfway for short-lived
 * tokens.
 */
export function refreshDue(token: OwnToken): number {
  const expires = readClaims(token.accessToken).exp * 1000 - serverAhead(token)
  const early = Math.min(REFRESH_BEFORE_EXPIRY_SECONDS * 1000, (token.expiresIn * 1000) / 2)
  return expires - early
}
