import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import { clock } from '#server/clock.ts'
import { Failure } from '#server/http/failure.ts'

export type GoogleSettings = {
  clientId: string
  issuer: string
  /** Where the public keys are, and where people sign in. */
  keysUrl: string
  signInUrl: string
}

/** Who somebody is at Google, and the word they were sent there with. */
export type GoogleAccount = { email: string; nonce: string }

export type Google = {
  /** Where people sign in; who sends them there adds where they come back to. */
  signInUrl: (nonce: string) => string
  /** Null: this is no token of Google for us. @throws Failure 503 when its keys cannot be had. */
  read: (token: string) => Promise<GoogleAccount | null>
}

const KEYS_WAIT_MS = 3_000
const KEYS_KEPT_MS = 600_000
const CLOCKS_DIFFER_SECONDS = 30
const LONGEST_AGE = '10 minutes'

/** Google as an OpenID provider: its keys are fetched when a token asks for one and kept for ten minutes. */
export function openGoogle({ clientId, issuer, keysUrl, signInUrl }: GoogleSettings): Google {
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    timeoutDuration: KEYS_WAIT_MS,
    cacheMaxAge: KEYS_KEPT_MS,
  })
  return {
    signInUrl(nonce) {
      const url = new URL(signInUrl)
      const asked = { client_id: clientId, response_type: 'id_token', scope: 'openid email', nonce }
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
      return url.href
    },
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          // Google signs with nothing else. A key that is public must never be taken for a shared one.
          algorithms: ['RS256'],
          // Google's tokens name it with and without the scheme.
          issuer: [issuer, issuer.replace(/^https:\/\//, '')],
          audience: clientId,
          requiredClaims: ['exp', 'iat', 'sub', 'email', 'nonce'],
          maxTokenAge: LONGEST_AGE,
          currentDate: clock.date(),
          clockTolerance: CLOCKS_DIFFER_SECONDS,
        })
        return accountOf(payload, clientId)
      } catch (error) {
        if (isAway(error)) {
          throw new Failure(503, 'Google does not answer. Sign in with your password.', {
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
 * The address counts only where Google itself keeps it: Gmail's own, and those of its Workspace customers (`hd`). Of any
 * other it knows only that somebody once could read mail there.
 */
function accountOf(claims: JWTPayload, clientId: string): GoogleAccount | null {
  const { email, nonce, azp, hd } = claims
  if (typeof email !== 'string' || typeof nonce !== 'string' || claims.email_verified !== true) return null
  if (azp !== undefined && azp !== clientId) return null
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const isKept = host === 'gmail.com' || (typeof hd === 'string' && hd !== '')
  return isKept ? { email, nonce } : null
}

/** Its keys did not come, or what came were none. */
function isAway(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
    (error instanceof TypeError && error.message === 'fetch failed')
  )
}
