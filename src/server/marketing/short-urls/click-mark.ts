import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { clock } from '#server/clock.ts'
import type { Secrets } from '#server/secrets.ts'

/** A click whose page may say that a person uses it. */
export type MarkedClick = Readonly<{ id: string; at: number; kind: 'suspect' | 'bot'; nonce: string }>

const PURPOSE = 'clicks on short URLs'
const MARK = /^(\d{1,18})\.([0-9a-z]{1,12})\.([sb])\.([\w-]{12})\.([\w-]{43})$/
/** A page that is used later was opened by something else before. */
const LIFETIME_MS = 30 * 60_000

/** The mark that the page of a click sends back. It says nothing about who clicked. */
export function writeClickMark(
  secrets: Secrets,
  customerId: string,
  { id, kind }: Pick<MarkedClick, 'id' | 'kind'>,
): { mark: string; nonce: string } {
  const nonce = randomBytes(9).toString('base64url')
  const payload = `${id}.${clock.now().toString(36)}.${kind.charAt(0)}.${nonce}`
  return { mark: `${payload}.${sign(secrets.deriveKey(PURPOSE), customerId, payload)}`, nonce }
}

/** Reads a mark; null if it isn't ours, or too old. */
export function readClickMark(secrets: Secrets, customerId: string, text: string): MarkedClick | null {
  const [, id = '', time = '', kind = '', nonce = '', signature = ''] = MARK.exec(text) ?? []
  const at = Number.parseInt(time, 36)
  if (id === '' || clock.now() - at > LIFETIME_MS) return null
  const given = Buffer.from(signature)
  const isOurs = secrets
    .deriveKeys(PURPOSE)
    .some((key) =>
      timingSafeEqual(Buffer.from(sign(key, customerId, `${id}.${time}.${kind}.${nonce}`)), given),
    )
  return isOurs ? { id, at, kind: kind === 's' ? 'suspect' : 'bot', nonce } : null
}

function sign(key: Buffer, customerId: string, payload: string): string {
  return createHmac('sha256', key).update(`${customerId}/${payload}`).digest('base64url')
}

const MOST = 50_000
/** Longer than a mark is valid, in milliseconds. */
const KEPT_MS = 31 * 60_000

/** Remembers texts for half an hour. Calling it tells whether a text is new. */
export function makeSeenOnce() {
  const seen = new Map<string, number>()
  const add = (text: string): boolean => {
    const now = clock.now()
    for (const [oldest, at] of seen) {
      if (seen.size < MOST && now - at < KEPT_MS) break
      seen.delete(oldest)
    }
    if (seen.has(text)) return false
    seen.set(text, now)
    return true
  }
  return Object.assign(add, { has: (text: string): boolean => seen.has(text) })
}
