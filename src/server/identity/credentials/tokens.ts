import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { Claims } from '#contract/identity/sessions/session.ts'
import type { Secrets } from '#server/secrets.ts'

const MAX_CACHED = 20_000

export type Tokens = {
  /** The same claims always give an identical token. */
  sign: (claims: Claims) => Promise<string>
  /** Null unless signature and format are valid. With `now` (seconds), also null for an expired token. */
  verify: (token: string, now?: number) => Promise<Claims | null>
  /** The XSRF token of a session. */
  xsrf: (sessionId: string) => string
}

/**
 * Tokens are JWTs signed with HS256 and a dedicated key. Verified tokens are cached by their hash, so that
 * further requests of a browser cost only a hash each.
 */
export function makeTokens(secrets: Secrets): Tokens {
  const keys = secrets.deriveKeys('token')
  const key = secrets.deriveKey('token')
  const xsrfKey = secrets.deriveKey('xsrf')
  const verified = new Map<string, Claims>()

  async function readSigned(token: string): Promise<Claims | null> {
    for (const candidate of keys) {
      try {
        // Expiry is checked below with the caller's clock, because a refresh also reads expired tokens.
        const { payload } = await jwtVerify(token, candidate, {
          algorithms: ['HS256'],
          currentDate: new Date(0),
        })
        return Claims.safeParse(payload).data ?? null
      } catch {
        // Not signed with this key; maybe with an older one.
      }
    }
    return null
  }

  return {
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key),
    async verify(token, now) {
      const fingerprint = createHash('sha256').update(token).digest('base64url')
      let claims = verified.get(fingerprint) ?? null
      if (claims === null) {
        if (!isCanonical(token)) return null
        claims = await readSigned(token)
        if (claims === null) return null
        if (verified.size >= MAX_CACHED) verified.delete(verified.keys().next().value ?? '')
        verified.set(fingerprint, claims)
      }
      return now !== undefined && claims.exp <= now ? null : claims
    },
    xsrf: (sessionId) => createHmac('sha256', xsrfKey).update(sessionId).digest('base64url'),
  }
}

/**
 * Whether this is the only spelling of its bytes. Decoders also accept padding, whitespace and stray bits in the last
 * character of a part, so that one signature would have several spellings.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

/** A cookie's secret: 256 random bits. */
const newSecret = (): string => randomBytes(32).toString('base64url')
/** The cookie that binds a session: session ID and secret. */
export const newCookie = (sessionId: string): string => `${sessionId}.${newSecret()}`
/** The session ID in a cookie; null if it isn't one of ours. */
export function sessionIdIn(cookie: string | null): string | null {
  const [sessionId = ''] = cookie?.split('.') ?? []
  return /^[0-9a-f-]{36}$/.test(sessionId) ? sessionId : null
}
/** The hash stored in the session row. */
export const fingerprintOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export function isSameSecret(fingerprint: Buffer, secret: string | null): boolean {
  return secret !== null && timingSafeEqual(fingerprint, fingerprintOf(secret))
}
