import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { ADF_BOUNDS } from './clean-adf.ts'
import { type ParsedAdf, parseAdf } from './parse-adf.ts'

/** An email as Postmark's inbound webhook describes it. Texts are bounded. */
export type ReadMail = {
  /** Postmark's ID: the same when the webhook is sent again. */
  postmarkId: string
  fromEmail: string
  fromName: string | null
  subject: string | null
  text: string | null
  /** The part of the address after the plus sign. */
  mailboxHash: string | null
  messageId: string | null
  /** The message IDs it answers: In-Reply-To first, then References from the last to the first. */
  answered: string[]
  /** Why it must not be answered and is no lead; null for a person's email. */
  automatic: 'autoSubmitted' | 'bulk' | 'loop' | 'bounce' | null
  attachments: { name: string; type: string; bytes: number }[]
  /** The first ADF document of its texts and attachments. */
  adf: ParsedAdf | null
  /** The email as JSON, without the content of attachments. */
  raw: string
}

const MAX_TEXT = 100_000
const NOT_POSTMARK = "This isn't an email in the Postmark inbound format: MessageID and From are expected."

/** Reads the JSON of an email; null if it isn't one. Only for a thread: an email can have 25 MB. */
export function readMail(bytes: Uint8Array<ArrayBuffer>): ReadMail | null {
  const given = parseJson(bytes)
  if (given === null) return null
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
    subject: line(given['Subject'], 500),
    text: plain?.trim().slice(0, MAX_TEXT) || null,
    mailboxHash: line(given['MailboxHash'], 200),
    messageId: idsIn(headers.get('message-id'))[0] ?? null,
    answered: [...idsIn(headers.get('in-reply-to')), ...idsIn(headers.get('references')).toReversed()].slice(
      0,
      50,
    ),
    automatic: automaticReason(headers, fromEmail),
    attachments: attachments.map(({ name, type, content }) => ({ name, type, bytes: content.length })),
    adf: found === null ? null : parseAdf(found),
    raw: rawOf(given, attachments),
  }
}

type Given = Readonly<Record<string, unknown>>
type Attachment = { name: string; type: string; content: Buffer }

function parseJson(bytes: Uint8Array): Given | null {
  try {
    const given: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isObject(given) ? given : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Given => (isObject(value) ? value : {})
const listOf = (value: unknown): Given[] => (Array.isArray(value) ? value.filter(isObject) : [])

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
  if (!submitted.startsWith('no') || headers.has('x-autoreply') || headers.has('x-autorespond'))
    return 'autoSubmitted'
  const isBulk = /^(?:bulk|junk|list|auto_reply)$/i.test(headers.get('precedence') ?? '')
  return isBulk ? 'bulk' : null
}

function attachmentOf(given: Given): Attachment {
  const content = given['Content']
  return {
    name: line(given['Name'], 200) ?? 'attachment',
    type: line(given['ContentType'], 200) ?? '',
    content: Buffer.from(typeof content === 'string' ? content : '', 'base64'),
  }
}

/** The document, from its first tag to its last. */
const ADF = /<(?:\?\s*(?:xml|adf)\b|adf\b)[^]*<\/adf\s*>/i
const STARTS_ADF = /<(?:\?\s*)?adf\b/i

type Bodies = { textBody: string | null; htmlBody: string | null; attachments: readonly Attachment[] }

/** An incomplete document counts too: it is refused with the reason, and isn't mistaken for a message. */
function findAdf({ textBody, htmlBody, attachments }: Bodies): Uint8Array<ArrayBuffer> | null {
  for (const { name, type, content } of attachments) {
    const isXml = /\.(?:xml|adf|txt)$/i.test(name) || /xml|adf/i.test(type)
    if (isXml && content.length <= ADF_BOUNDS.bytes && isAdf(content)) return new Uint8Array(content)
  }
  for (const body of [textBody, htmlBody, textOfHtml(htmlBody)]) {
    if (body === null || !STARTS_ADF.test(body)) continue
    const document = ADF.exec(body)?.[0] ?? body.slice(body.search(STARTS_ADF))
    // The text is decoded already, whatever its declaration says.
    return new TextEncoder().encode(document)
  }
  return null
}

/** Also in UTF-16, where each letter has a zero byte beside it. */
const isAdf = (content: Buffer): boolean =>
  STARTS_ADF.test(content.subarray(0, 4_000).toString('latin1').replaceAll('\0', ''))

function rawOf(given: Given, attachments: readonly Attachment[]): string {
  const kept = {
    ...given,
    Attachments: attachments.map(({ name, type, content }) => ({
      Name: name,
      ContentType: type,
      ContentLength: content.length,
    })),
  }
  return JSON.stringify(kept, null, 2).slice(0, ADF_BOUNDS.bytes).toWellFormed()
}

/** Line breaks where a browser has them. */
const BLOCKS = new Set(['br', 'p', 'div', 'tr', 'li', 'table', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre'])
const HIDDEN = new Set(['script', 'style', 'head', 'title', 'template'])

/** The text of an HTML document as a reader sees it. */
function textOfHtml(html: string | null): string | null {
  if (html === null || html.trim() === '') return null
  const parts: string[] = []
  const open: DefaultTreeAdapterMap['childNode'][] = parse(html.slice(0, 1_000_000)).childNodes.toReversed()
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
