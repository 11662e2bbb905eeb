import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { clock } from '#server/clock.ts'
import type { Secrets } from '#server/secrets.ts'
import type { Visit } from './visit-of.ts'

/** A click whose page may say that a person uses it. */
export type MarkedClick = Readonly<{
  id: string
  at: number
  kind: 'suspect' | 'bot'
  visit: Visit
  nonce: string
}>

/** What a mark is for: one for a page is none for a short URL with the same ID. */
export type MarkPurpose = 'clicks on short URLs' | 'visits of promo pages'
type Marking = Readonly<{ purpose: MarkPurpose; customerId: string }>
const MARK = /^(\d{1,18})\.([0-9a-z]{1,12})\.([sb])\.([ptd])\.([a-z0-9_-]{0,60})\.([\w-]{12})\.([\w-]{43})$/
const DEVICE_OF: Readonly<Record<string, Visit['device']>> = { p: 'phone', t: 'tablet', d: 'desktop' }
/** A page that is used later was opened by something else before. */
const LIFETIME_MS = 30 * 60_000

/** The mark that the page of a click sends back. It says nothing about who clicked. */
export function writeClickMark(
  secrets: Secrets,
  { purpose, customerId }: Marking,
  { id, kind, visit }: Pick<MarkedClick, 'id' | 'kind' | 'visit'>,
): { mark: string; nonce: string } {
  const nonce = randomBytes(9).toString('base64url')
  const from = `${visit.device.charAt(0)}.${visit.referrer.replaceAll('.', '_')}`
  const payload = `${id}.${clock.now().toString(36)}.${kind.charAt(0)}.${from}.${nonce}`
  return { mark: `${payload}.${sign(secrets.deriveKey(purpose), customerId, payload)}`, nonce }
}

/** Reads a mark; null if it isn't ours, or too old. */
export function readClickMark(
  secrets: Secrets,
  { purpose, customerId }: Marking,
  text: string,
): MarkedClick | null {
  const [, id = '', time = '', kind = '', device = '', referrer = '', nonce = '', signature = ''] =
    MARK.exec(text) ?? []
  const at = Number.parseInt(time, 36)
  if (id === '' || clock.now() - at > LIFETIME_MS) return null
  const given = Buffer.from(signature)
  const isOurs = secrets
    .deriveKeys(purpose)
    .some((key) =>
      timingSafeEqual(
        Buffer.from(sign(key, customerId, `${id}.${time}.${kind}.${device}.${referrer}.${nonce}`)),
        given,
      ),
    )
  if (!isOurs) return null
  const visit = { device: DEVICE_OF[device] ?? 'desktop', referrer: referrer.replaceAll('_', '.') }
  return { id, at, kind: kind === 's' ? 'suspect' : 'bot', visit, nonce }
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
