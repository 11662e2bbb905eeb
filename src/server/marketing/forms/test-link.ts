import { createHmac, timingSafeEqual } from 'node:crypto'
import { clock } from '#server/clock.ts'
import type { Secrets } from '#server/secrets.ts'

const PURPOSE = 'test links of public forms'
const TEST_MS = 3_600_000
const MARK = /^([0-9a-z]{1,12})\.([\w-]{43})$/

type FormKey = { customerId: string; id: string }

/** What makes the page of a form a test: signed, so that no one else can turn a buyer's lead into one, and for an hour. */
export function writeTestMark(secrets: Secrets, form: FormKey): { mark: string; endsAt: Date } {
  const endsAt = clock.now() + TEST_MS
  const until = endsAt.toString(36)
  return { mark: `${until}.${sign(secrets.deriveKey(PURPOSE), form, until)}`, endsAt: new Date(endsAt) }
}

/**
 * Reads a mark of this form; null if it isn't ours. `ended`: its link was opened too late, so what is sent is no test.
 * `openedAt`: when the page was opened, because someone may read for a while.
 */
export function readTestMark(
  secrets: Secrets,
  form: FormKey,
  text: string | null,
  openedAt: number,
): 'valid' | 'ended' | null {
  const [, until = '', signature = ''] = MARK.exec(text ?? '') ?? []
  if (until === '') return null
  const given = Buffer.from(signature)
  const isOurs = secrets
    .deriveKeys(PURPOSE)
    .some((key) => timingSafeEqual(Buffer.from(sign(key, form, until)), given))
  if (!isOurs) return null
  return openedAt <= Number.parseInt(until, 36) ? 'valid' : 'ended'
}

function sign(key: Buffer, { customerId, id }: FormKey, until: string): string {
  return createHmac('sha256', key).update(`${customerId}/${id}/${until}`).digest('base64url')
}
