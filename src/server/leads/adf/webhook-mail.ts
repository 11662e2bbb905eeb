import { addressParser, decodeWords } from 'postal-mime'
import { addressIn, MAIL_BOUNDS, type MailAttachment, type MailParts, storableLine } from './mail-parts.ts'
import { defaultName, isRawMail, readRawMail } from './raw-mail.ts'

type MailJson = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is MailJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectOf = (value: unknown): MailJson => (isObject(value) ? value : {})
const listOf = (value: unknown): MailJson[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The parts of an email as Postmark's inbound webhook describes it; null if it isn't one. */
export async function readWebhookMail(value: unknown): Promise<MailParts | null> {
  const given = objectOf(value)
  const postmarkId = storableLine(given['MessageID'], 200)
  const from = objectOf(given['FromFull'])
  const email = storableLine(from['Email'], 320) ?? addressIn(storableLine(given['From'], 1_000))
  if (postmarkId === null || email === null) return null
  const attachments: MailAttachment[] = []
  const forwarded: MailParts[] = []
  for (const one of listOf(given['Attachments']).slice(0, MAIL_BOUNDS.attachments)) {
    const attachment = attachmentOf(one)
    // oxlint-disable-next-line no-await-in-loop -- One after the other needs less memory.
    const inside = isMessage(attachment) ? await readRawMail(attachment.content(), 1) : null
    if (inside === null) attachments.push(attachment)
    else forwarded.push(inside)
  }
  const text = (name: string): string | null => (typeof given[name] === 'string' ? given[name] : null)
  return {
    postmarkId,
    from: {
      email,
      name: storableLine(from['Name'], 200) ?? storableLine(given['FromName'], 200) ?? nameIn(given['From']),
    },
    replyTo: storableLine(given['ReplyTo'], 1_000),
    toEmail: storableLine(given['OriginalRecipient'], 320),
    mailboxHash: storableLine(given['MailboxHash'], 200),
    subject: text('Subject'),
    text: text('TextBody'),
    html: text('HtmlBody'),
    headers: headersOf(given['Headers']),
    attachments,
    forwarded,
  }
}

/** "Doe, Dana" in `"Doe, Dana" <dana@mail.example>`. */
function nameIn(from: unknown): string | null {
  const [mailbox] = addressParser(storableLine(from, 1_000) ?? '')
  return storableLine(decodeWords(mailbox?.name ?? ''), 200)
}

const isMessage = ({ type, name, start }: MailAttachment): boolean =>
  /^message\/rfc822/i.test(type) || (/\.eml$/i.test(name) && isRawMail(start(64_000)))

function headersOf(value: unknown): Map<string, string> {
  const headers = new Map<string, string>()
  for (const header of listOf(value).slice(0, MAIL_BOUNDS.headers)) {
    const name = storableLine(header['Name'], 100)?.toLowerCase()
    if (name !== undefined && !headers.has(name))
      headers.set(name, storableLine(header['Value'], 5_000) ?? '')
  }
  return headers
}

function attachmentOf(given: MailJson): MailAttachment {
  const content = typeof given['Content'] === 'string' ? given['Content'] : ''
  const type = storableLine(given['ContentType'], 200) ?? ''
  return {
    name: storableLine(given['Name'], 200) ?? defaultName(type),
    type,
    bytes: Math.floor((content.replace(/=+$/, '').length * 3) / 4),
    start: (length) => Buffer.from(content.slice(0, Math.ceil(length / 3) * 4 + 400), 'base64'),
    content: () => Buffer.from(content, 'base64'),
  }
}
