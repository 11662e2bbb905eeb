import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import type { Secrets } from '#server/secrets.ts'

/** How long a user may take at Google. */
const LIFE_SECONDS = 600

export type Nonces = {
  /** A nonce for one sign-in that was started on this host name. */
  issue: (host: string) => string
  /** Whether it was issued for this host name, hasn't expired, and is used for the first time. */
  use: (nonce: string, host: string) => Promise<boolean>
}

/**
 * Nonces for sign-in with Google. A nonce contains its expiry and a signature, so nothing is stored until it
 * is used. Then its hash is stored until it would have expired, so that a captured token can't be used again.
 */
export function makeNonces(iam: Kysely<DB>, secrets: Secrets, readTime: () => number = clock.now): Nonces {
  const purpose = 'google nonce'
  const sign = (key: Buffer, payload: string, host: string) =>
    createHmac('sha256', key).update(`${payload}.${host}`).digest('base64url')

  return {
    issue(host) {
      const ends = Math.floor(readTime() / 1000) + LIFE_SECONDS
      const payload = `${randomBytes(16).toString('base64url')}.${ends}`
      return `${payload}.${sign(secrets.deriveKey(purpose), payload, host)}`
    },
    async use(nonce, host) {
      const [random = '', ends = '', signature = '', ...rest] = nonce.split('.')
      // Compared as text: decoding would accept several spellings of one signature.
      const given = Buffer.from(signature)
      const isOurs = secrets.deriveKeys(purpose).some((key) => {
        const right = Buffer.from(sign(key, `${random}.${ends}`, host))
        return right.length === given.length && timingSafeEqual(right, given)
      })
      if (!isOurs || rest.length > 0 || Number(ends) * 1000 < readTime()) return false
      const { rows } = await sql`
        insert into iam.used_nonces (nonce_hash, expires_at)
        values (${createHash('sha256').update(`${random}.${ends}`).digest()}, to_timestamp(${ends}::bigint) + interval '1 hour')
        on conflict do nothing returning 1`.execute(iam)
      return rows.length === 1
    },
  }
}
