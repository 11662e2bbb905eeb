import { textOfHtml } from '../form-mails/html-lines.ts'

/** One email as it was sent, whatever format it came in. Texts aren't bounded yet. */
export type MailParts = Readonly<{
  /** The ID of the webhook call, if there is one. */
  postmarkId: string | null
  from: Readonly<{ email: string | null; name: string | null }>
  replyTo: string | null
  toEmail: string | null
  mailboxHash: string | null
  subject: string | null
  text: string | null
  html: string | null
  /** Names in lower case; the first of each name. */
  headers: ReadonlyMap<string, string>
  attachments: readonly MailAttachment[]
  /** Emails that it has as attachments, as when one is forwarded. */
  forwarded: readonly MailParts[]
}>

/** `content` decodes it, and can be called again. */
export type MailAttachment = Readonly<{
  name: string
  type: string
  bytes: number
  start: (length: number) => Buffer
  content: () => Buffer
}>

/** What is read of one email at most. */
export const MAIL_BOUNDS = {
  attachments: 200,
  /** How deep emails are within emails. */
  depth: 5,
  headers: 300,
} as const

const htmlTexts = new WeakMap<MailParts, string | null>()

/** The HTML of an email as a reader sees it. Read once, because that takes long. */
export function htmlText(mail: MailParts): string | null {
  const known = htmlTexts.get(mail)
  if (known !== undefined) return known
  const text = textOfHtml(storableText(mail.html))
  htmlTexts.set(mail, text)
  return text
}

/** Without the characters that PostgreSQL doesn't store. */
export const storableText = (value: unknown): string | null =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : null

/** One line of a bounded length; null if it is empty. */
export function storableLine(value: unknown, length: number): string | null {
  return (
    storableText(value)
      ?.replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, length)
      .toWellFormed() || null
  )
}

/** The first address in a header. */
export const addressIn = (from: string | null): string | null =>
  /[^\s<>"]+@[^\s<>"]+/.exec(from ?? '')?.[0]?.slice(0, 320) ?? null
