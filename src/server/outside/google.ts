import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import { clock } from '#server/clock.ts'
import { Failure } from '#server/http/failure.ts'

export type GoogleSettings = {
  clientId: string
  issuer: string
  /** The URLs of the public keys and of the sign-in page. */
  keysUrl: string
  signInUrl: string
}

/** A Google account, and the nonce that was passed to the sign-in page. */
export type GoogleAccount = { email: string; nonce: string }

export type Google = {
  /** The URL of the sign-in page. The caller adds the return URL. */
  signInUrl: (nonce: string) => string
  /** Null if the token is not from Google or not for us. @throws Failure 503 if Google's keys cannot be loaded. */
  read: (token: string) => Promise<GoogleAccount | null>
}

const KEYS_TIMEOUT_MS = 3_000
const KEYS_CACHE_MS = 600_000
const CLOCK_TOLERANCE_SECONDS = 30
const MAX_TOKEN_AGE = '10 minutes'

/** Google as an OpenID provider. Its keys are fetched when needed and cached for ten minutes. */
export function openGoogle({ clientId, issuer, keysUrl, signInUrl }: GoogleSettings): Google {
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    cacheMaxAge: KEYS_CACHE_MS,
  })
  return {
    signInUrl(nonce) {
      const url = new URL(signInUrl)
      const parameters = { client_id: clientId, response_type: 'id_token', scope: 'openid email', nonce }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          // Google signs only with this. A public key must never be accepted as a shared secret.
          algorithms: ['RS256'],
          // Google's tokens have the issuer with or without the scheme.
          issuer: [issuer, issuer.replace(/^https:\/\//, '')],
          audience: clientId,
          requiredClaims: ['exp', 'iat', 'sub', 'email', 'nonce'],
          maxTokenAge: MAX_TOKEN_AGE,
          currentDate: clock.date(),
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
        })
        return accountOf(payload, clientId)
      } catch (error) {
        if (isUnreachable(error)) {
          throw new Failure(503, 'Google is not responding. Sign in with your password.', {
            retryAfterSeconds: 60,
          })
        }
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}

/**
 * Accepts an email address only if Google hosts it: Gmail, and domains of Workspace customers (`hd`). For any other address
 * Google knows only that someone could once read its email.
 */
function accountOf(claims: JWTPayload, clientId: string): GoogleAccount | null {
  const { email, nonce, azp, hd } = claims
  if (typeof email !== 'string' || typeof nonce !== 'string' || claims.email_verified !== true) return null
  if (azp !== undefined && azp !== clientId) return null
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const isHosted = host === 'gmail.com' || (typeof hd === 'string' && hd !== '')
  return isHosted ? { email, nonce } : null
}

/** The keys could not be loaded, or the response did not contain any. */
function isUnreachable(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
    (error instanceof TypeError && error.message === 'fetch failed')
  )
}
