import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { type ParsedAdf, parseAdf } from './parse-adf.ts'

/** An email as Postmark's inbound webhook describes it. Texts are bounded. */
export type ReadMail = {
  /** Postmark's ID: the same when the webhook is sent again. */
  postmarkId: string
  fromEmail: string
  fromName: string | null
  /** Where an answer goes, if not to the sender: websites send the emails of buyers from their own address. */
  replyTo: { email: string; name: string | null } | null
  toEmail: string | null
  subject: string | null
  text: string | null
  /** The part of the address after the plus sign. */
  mailboxHash: string | null
  messageId: string | null
  /** The message IDs it answers: In-Reply-To first, then References from the last to the first. */
  answered: string[]
  /** Why it must not be answered and is no lead; null for a person's email. */
  automatic: 'autoSubmitted' | 'generated' | 'bulk' | 'loop' | 'bounce' | null
  /** The provider's spam filter marked it. */
  isSpam: boolean
  attachments: { name: string; type: string; bytes: number }[]
  /** The first ADF document of its texts and attachments. */
  adf: ParsedAdf | null
  /** The email as JSON; of a very long one, without the content of attachments. */
  raw: string
}

const MAX_TEXT = 100_000
/** The default threshold of SpamAssassin, which Postmark uses. */
const SPAM_SCORE = 5
/** In characters: the parser needs ten times as long for twice as much nested HTML. */
const MAX_HTML = 200_000
/** In characters, each: what is kept of the bodies of a very long email. */
const MAX_KEPT_BODY = 300_000

/**
 * Reads the JSON of an email; null if it isn't one. Only for a thread: an email can have 50 MB.
 * `json`: the whole JSON text, which is kept if it isn't too long.
 */
export function readMail(value: unknown, json: string): ReadMail | null {
  const given = objectOf(value)
  const postmarkId = line(given['MessageID'], 200)
  const from = objectOf(given['FromFull'])
  const fromEmail = (line(from['Email'], 320) ?? addressIn(line(given['From'], 1_000)))?.toLowerCase() ?? null
  if (postmarkId === null || fromEmail === null) return null
  const headers = headersOf(given['Headers'])
  const attachments = listOf(given['Attachments']).slice(0, 100).map(attachmentOf)
  const textBody = text(given['TextBody'])
  const htmlBody = text(given['HtmlBody'])
  const found = findAdf({ textBody, htmlBody, attachments })
  const plain = textBody?.trim() ? textBody : textOfHtml(htmlBody)
  return {
    postmarkId,
    fromEmail,
    fromName: line(from['Name'] ?? given['FromName'], 200),
    replyTo: replyToOf(line(given['ReplyTo'], 1_000), fromEmail),
    toEmail: line(given['OriginalRecipient'], 320),
    subject: line(given['Subject'], 500),
    text: plain?.trim().slice(0, MAX_TEXT) || null,
    mailboxHash: line(given['MailboxHash'], 200),
    messageId: idsIn(headers.get('message-id'))[0] ?? null,
    answered: [...idsIn(headers.get('in-reply-to')), ...idsIn(headers.get('references')).toReversed()].slice(
      0,
      50,
    ),
    automatic: automaticReason(headers, fromEmail),
    isSpam: isMarkedAsSpam(headers),
    attachments: attachments.map(({ name, type, bytes }) => ({ name, type, bytes })),
    adf: found === null ? null : parseAdf(found.bytes, { isText: found.attachment === null }),
    raw: rawOf(given, { json, attachments, kept: found?.attachment ?? null }),
  }
}

type MailJson = Readonly<Record<string, unknown>>
/** `content`: base64, as it was sent. */
type Attachment = { name: string; type: string; bytes: number; content: string }

const isObject = (value: unknown): value is MailJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): MailJson => (isObject(value) ? value : {})
const listOf = (value: unknown): MailJson[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Without the characters that PostgreSQL doesn't store. */
const text = (value: unknown): string | null =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : null

function line(value: unknown, length: number): string | null {
  return (
    text(value)
      ?.replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, length)
      .toWellFormed() || null
  )
}

const addressIn = (from: string | null): string | null =>
  /[^\s<>"]+@[^\s<>"]+/.exec(from ?? '')?.[0]?.slice(0, 320) ?? null

function headersOf(value: unknown): Map<string, string> {
  const headers = new Map<string, string>()
  for (const header of listOf(value).slice(0, 300)) {
    const name = line(header['Name'], 100)?.toLowerCase()
    if (name !== undefined && !headers.has(name)) headers.set(name, line(header['Value'], 5_000) ?? '')
  }
  return headers
}

const idsIn = (header: string | undefined): string[] =>
  (header ?? '').match(/<[^<>\s]{1,300}>/g)?.map((id) => id.slice(1, -1)) ?? []

/** RFC 3834 and what mail servers did before it. */
function automaticReason(headers: ReadonlyMap<string, string>, fromEmail: string): ReadMail['automatic'] {
  if (/^(?:mailer-daemon|postmaster)@/.test(fromEmail) || headers.get('return-path') === '<>') return 'bounce'
  if (headers.has('x-loop')) return 'loop'
  const submitted = headers.get('auto-submitted')?.toLowerCase() ?? 'no'
  // Websites and portals send inquiries this way, too: it is no answer to an email.
  if (/^auto-(?:generated|notified)/.test(submitted)) return 'generated'
  if (!submitted.startsWith('no') || headers.has('x-autoreply') || headers.has('x-autorespond'))
    return 'autoSubmitted'
  const isBulk = /^(?:bulk|junk|list|auto_reply)$/i.test(headers.get('precedence') ?? '')
  return isBulk ? 'bulk' : null
}

/** SpamAssassin's verdict, or its score if there is only that: X-Spam-Status: Yes, X-Spam-Score: 7.1. */
function isMarkedAsSpam(headers: ReadonlyMap<string, string>): boolean {
  const status = headers.get('x-spam-status') ?? headers.get('x-spam-flag')
  if (status !== undefined) return /^yes\b/i.test(status)
  return Number.parseFloat(headers.get('x-spam-score') ?? '0') >= SPAM_SCORE
}

function replyToOf(value: string | null, fromEmail: string): ReadMail['replyTo'] {
  const email = addressIn(value)?.toLowerCase()
  if (email === undefined || email === fromEmail) return null
  const name = /^\s*"?([^"<>@]{1,200}?)"?\s*</.exec(value ?? '')?.[1]?.trim() ?? ''
  return { email, name: name === '' ? null : name }
}

function attachmentOf(given: MailJson): Attachment {
  const content = typeof given['Content'] === 'string' ? given['Content'] : ''
  return {
    name: line(given['Name'], 200) ?? 'attachment',
    type: line(given['ContentType'], 200) ?? '',
    bytes: Math.floor((content.length * 3) / 4),
    content,
  }
}

const STARTS_ADF = /<(?:\?\s{0,20})?adf\b/i

type Bodies = { textBody: string | null; htmlBody: string | null; attachments: readonly Attachment[] }
type FoundAdf = { bytes: Uint8Array<ArrayBuffer>; attachment: Attachment | null }

/** An incomplete document counts too: it is refused with the reason, and isn't mistaken for a message. */
function findAdf({ textBody, htmlBody, attachments }: Bodies): FoundAdf | null {
  for (const attachment of attachments) {
    const isText = /\.(?:xml|adf|txt)$/i.test(attachment.name) || /xml|adf/i.test(attachment.type)
    if (!isText || !isAdf(attachment)) continue
    // One that is too large is refused with that reason.
    const content = attachment.content.slice(0, (ADF_BOUNDS.bytes * 4) / 3 + 400)
    return { bytes: new Uint8Array(Buffer.from(content, 'base64')), attachment }
  }
  for (const body of [textBody, htmlBody, textOfHtml(htmlBody)]) {
    const start = body?.search(STARTS_ADF) ?? -1
    if (body === null || start < 0) continue
    // The text is decoded already, whatever its declaration says.
    return { bytes: new TextEncoder().encode(untilLastTag(body.slice(start))), attachment: null }
  }
  return null
}

/** Without the signature of the email after the document. */
function untilLastTag(body: string): string {
  const last = body.toLowerCase().lastIndexOf('</adf')
  const end = last < 0 ? -1 : body.indexOf('>', last)
  return end < 0 ? body : body.slice(0, end + 1)
}

/** Also in UTF-16, where each letter has a zero byte beside it. */
const isAdf = ({ content }: Attachment): boolean =>
  STARTS_ADF.test(Buffer.from(content.slice(0, 6_000), 'base64').toString('latin1').replaceAll('\0', ''))

type MailParts = { json: string; attachments: readonly Attachment[]; kept: Attachment | null }

/** The email as it was sent. Of a long one, without attachments other than the ADF document. */
function rawOf(given: MailJson, { json, attachments, kept }: MailParts): string {
  if (json.length <= ADF_BOUNDS.bytes) return json.toWellFormed().replaceAll('\0', '')
  const texts = Object.entries(given).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value.slice(0, MAX_KEPT_BODY).toWellFormed()]] : [],
  )
  const short = {
    ...Object.fromEntries(texts.slice(0, 50)),
    FromFull: { Email: line(objectOf(given['FromFull'])['Email'], 320) },
    Headers: [...headersOf(given['Headers'])].map(([Name, Value]) => ({ Name, Value })),
    Attachments: attachments.map((one) => ({
      Name: one.name,
      ContentType: one.type,
      ContentLength: one.bytes,
      ...(one === kept && one.content.length <= MAX_KEPT_BODY && { Content: one.content }),
    })),
  }
  return JSON.stringify(short, null, 2)
    .slice(0, ADF_BOUNDS.bytes * 2)
    .toWellFormed()
}

/** Line breaks where a browser has them. */
const BLOCKS = new Set(['br', 'p', 'div', 'tr', 'li', 'table', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre'])
const HIDDEN = new Set(['script', 'style', 'head', 'title', 'template'])

/** The text of an HTML document as a reader sees it. */
function textOfHtml(html: string | null): string | null {
  if (html === null || html.trim() === '') return null
  const parts: string[] = []
  const open: DefaultTreeAdapterMap['childNode'][] = parse(html.slice(0, MAX_HTML)).childNodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('value' in node) parts.push(node.value.replace(/\s+/g, ' '))
    else if ('childNodes' in node && !HIDDEN.has(node.nodeName)) {
      if (BLOCKS.has(node.nodeName)) parts.push('\n')
      open.push(...node.childNodes.toReversed())
    }
  }
  return parts
    .join('')
    .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
