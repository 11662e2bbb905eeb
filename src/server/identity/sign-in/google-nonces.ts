import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import type { Secrets } from '#server/secrets.ts'

/** So long somebody may take at Google. */
const LIFE_SECONDS = 600

export type Nonces = {
  /** A word for one sign-in that was begun under this host name. */
  issue: (host: string) => string
  /** Whether it was issued under this name, in time, and is used for the first time. */
  use: (nonce: string, host: string) => Promise<boolean>
}

/**
 * Words that a sign-in with Google begins with. They carry when they end and a signature, so nothing is kept until one
 * is used; then its hash is, until it would have ended by itself. Whoever hangs on to a token cannot use it again.
 */
export function makeNonces(iam: Kysely<DB>, secrets: Secrets, readTime: () => number = clock.now): Nonces {
  const purpose = 'google nonce'
  const sign = (key: Buffer, word: string, host: string) =>
    createHmac('sha256', key).update(`${word}.${host}`).digest()

  return {
    issue(host) {
      const ends = Math.floor(readTime() / 1000) + LIFE_SECONDS
      const word = `${randomBytes(16).toString('base64url')}.${ends}`
      return `${word}.${sign(secrets.deriveKey(purpose), word, host).toString('base64url')}`
    },
    async use(nonce, host) {
      const [random = '', ends = '', signature = '', ...rest] = nonce.split('.')
      const given = Buffer.from(signature, 'base64url')
      const isOurs = secrets.deriveKeys(purpose).some((key) => {
        const right = sign(key, `${random}.${ends}`, host)
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
