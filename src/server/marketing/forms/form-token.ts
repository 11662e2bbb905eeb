import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { clock } from '#server/clock.ts'
import type { Secrets } from '#server/secrets.ts'

/** Which version of a form a page shows, and since when. `sentKey` makes sending it twice one submission. */
export type FormToken = Readonly<{ number: number; openedAt: number; sentKey: string }>

const PURPOSE = 'public forms'
const TOKEN = /^(\d{1,9})\.([0-9a-z]{1,12})\.([\w-]{16,80})\.([\w-]{43})$/

/** What makes sending a page twice one submission. */
export const newSentKey = (): string => randomBytes(18).toString('base64url')

/** The token of a page that is opened now. */
export function newFormToken({ number }: { number: number }): FormToken {
  return { number, openedAt: clock.now(), sentKey: newSentKey() }
}

/** A token as the page of a form carries it. */
export function writeFormToken(
  secrets: Secrets,
  form: { customerId: string; id: string },
  { number, sentKey, openedAt }: FormToken,
): string {
  const payload = `${number}.${openedAt.toString(36)}.${sentKey}`
  return `${payload}.${sign(secrets.deriveKey(PURPOSE), form, payload)}`
}

/** Reads a token of this form; null if it isn't ours. Tokens don't expire: a page may be open for days. */
export function readFormToken(
  secrets: Secrets,
  form: { customerId: string; id: string },
  text: string,
): FormToken | null {
  const [, number = '', at = '', sentKey = '', signature = ''] = TOKEN.exec(text) ?? []
  if (sentKey === '') return null
  const given = Buffer.from(signature)
  const isOurs = secrets
    .deriveKeys(PURPOSE)
    .some((key) => timingSafeEqual(Buffer.from(sign(key, form, `${number}.${at}.${sentKey}`)), given))
  return isOurs ? { number: Number(number), openedAt: Number.parseInt(at, 36), sentKey } : null
}

/** The key of a page in a token whose signature doesn't matter; null if it isn't one. */
export const sentKeyIn = (text: string): string | null => TOKEN.exec(text)?.[3] ?? null

function sign(key: Buffer, { customerId, id }: { customerId: string; id: string }, payload: string): string {
  return createHmac('sha256', key).update(`${customerId}/${id}/${payload}`).digest('base64url')
}
