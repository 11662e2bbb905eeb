import { createHmac, timingSafeEqual } from 'node:crypto'
import { clock } from '#server/clock.ts'
import type { Secrets } from '#server/secrets.ts'

const LIFETIME_MS = 3_600_000
const MARK = /^([0-9a-z]{1,12})\.([\w-]{43})$/

type RecordKey = { customerId: string; id: string }

/** Marks in links to a record of a customer, signed so that no one else can make one, and for an hour. */
export function signedLinks(purpose: string) {
  const sign = (key: Buffer, { customerId, id }: RecordKey, until: string): string =>
    createHmac('sha256', key).update(`${customerId}/${id}/${until}`).digest('base64url')
  return {
    write: (secrets: Secrets, of: RecordKey): { mark: string; endsAt: Date } => {
      const endsAt = clock.now() + LIFETIME_MS
      const until = endsAt.toString(36)
      return { mark: `${until}.${sign(secrets.deriveKey(purpose), of, until)}`, endsAt: new Date(endsAt) }
    },
    /**
     * Reads a mark of this record; null if it isn't ours. `ended`: its link was opened too late. `openedAt`: when the page was
     * opened, because someone may read for a while.
     */
    read: (
      secrets: Secrets,
      of: RecordKey,
      text: string | null,
      openedAt: number = clock.now(),
    ): 'valid' | 'ended' | null => {
      const [, until = '', signature = ''] = MARK.exec(text ?? '') ?? []
      if (until === '') return null
      const given = Buffer.from(signature)
      const isOurs = secrets
        .deriveKeys(purpose)
        .some((key) => timingSafeEqual(Buffer.from(sign(key, of, until)), given))
      if (!isOurs) return null
      return openedAt <= Number.parseInt(until, 36) ? 'valid' : 'ended'
    },
  }
}
