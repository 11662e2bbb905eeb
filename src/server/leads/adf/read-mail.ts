import type { AutomaticReason } from '#contract/leads/inbound/inbound-messages.ts'
import { type FormMail, readFormMails } from '../form-mails/form-mail.ts'
import { LONGEST_BODY, type MailBody, mailBody } from '../form-mails/mail-body.ts'
import { isForward, senderInHead, unquoted } from '../form-mails/quoted-mail.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { readDocuments, withWords, wordsAround } from './mail-documents.ts'
import {
  addressIn,
  htmlText,
  type MailAttachment,
  type MailParts,
  storableLine,
  storableText,
} from './mail-parts.ts'
import type { ParsedAdf } from './parse-adf.ts'

/** An email as a webhook describes it, or as an internet message. Texts are bounded. */
export type ReadMail = {
  /** Postmark's ID: the same when the webhook is sent again. Null for an internet message. */
  postmarkId: string | null
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
  /** Why it must not be answered and is no lead by itself; null for a person's email. */
  automatic: AutomaticReason | null
  /** The provider's spam filter marked it. */
  isSpam: boolean
  /** What only one of its bodies has besides `text`: the text and the HTML of an email can differ. */
  left: string | null
  /** The ADF documents of its texts and attachments, as one. */
  adf: ParsedAdf | null
  /** The inquiry of each buyer that its labels name; none if there is an ADF document. */
  forms: readonly FormMail[]
  /** Who wrote the email that this one forwards. */
  forwarded: { email: string; name: string | null } | null
}

const MAX_TEXT = 100_000
/** The default threshold of SpamAssassin, which Postmark uses. */
const SPAM_SCORE = 5

type MailWithFiles = { mail: ReadMail; attachments: MailAttachment[]; documents: readonly MailAttachment[] }

/**
 * Reads an email, with its attachments and those with the ADF documents. Null if nothing says who sent it. Only for a thread: it can have
 * 50 MB.
 */
export function readMail(parts: MailParts): MailWithFiles | null {
  const fromEmail = storableLine(parts.from.email, 320)?.toLowerCase() ?? null
  if (fromEmail === null) return null
  const { headers } = parts
  const mails = withForwarded(parts)
  const attachments = mails.flatMap((one) => one.attachments)
  const found = readDocuments(mails, attachments)
  const subject = storableLine(parts.subject, 500)
  const text = wholeText(parts)
  const isPassedOn = isForward(subject) || parts.forwarded.length > 0
  const mail: ReadMail = {
    postmarkId: parts.postmarkId,
    fromEmail,
    fromName: storableLine(parts.from.name, 200),
    replyTo: replyToOf(storableLine(parts.replyTo, 1_000), fromEmail),
    toEmail: storableLine(parts.toEmail, 320),
    subject,
    text: text.slice(0, MAX_TEXT).toWellFormed() || null,
    mailboxHash: parts.mailboxHash,
    messageId: idsIn(headers.get('message-id'))[0] ?? null,
    answered: [...idsIn(headers.get('in-reply-to')), ...idsIn(headers.get('references')).toReversed()].slice(
      0,
      50,
    ),
    automatic: automaticReason(headers, { fromEmail, subject }),
    isSpam: isMarkedAsSpam(headers),
    left:
      joined(mails.map((one) => bodyOf(one).left))
        .slice(0, MAX_TEXT)
        .toWellFormed() || null,
    adf: found === null ? null : withWords(found.adf, { subject, text: wordsBeside(parts, found.mails) }),
    forms: found === null ? formsOf(mails) : [],
    forwarded: isPassedOn ? senderInHead(unquoted(text).head) : null,
  }
  return { mail, attachments, documents: found?.attachments ?? [] }
}

/** The email, and those that it has as attachments. */
const withForwarded = (parts: MailParts): MailParts[] => [parts, ...parts.forwarded.flatMap(withForwarded)]

const bodyOf = (mail: MailParts): MailBody =>
  mailBody(linesOf(storableText(mail.text)), linesOf(htmlText(mail)))
const linesOf = (body: string | null): string =>
  (body ?? '').slice(0, LONGEST_BODY).replaceAll('\r\n', '\n').trim()
const plainOf = (mail: MailParts): string => bodyOf(mail).text
const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n')

/** What an email with ADF documents says besides them. `inText`: those that have one in their text. */
const wordsBeside = (parts: MailParts, inText: ReadonlySet<MailParts>): string =>
  wholeText(parts, (one) => {
    if (inText.has(one)) return wordsAround(one)
    const { text, left } = bodyOf(one)
    return joined([text, left])
  })

/** The text of an email, and of those that it forwards as attachments, as mail programs quote them. */
export function wholeText(parts: MailParts, textOf: (mail: MailParts) => string = plainOf): string {
  const quoted = parts.forwarded.map((one) => {
    const lines = [
      '---------- Forwarded message ----------',
      `From: ${[storableLine(one.from.name, 200), `<${storableLine(one.from.email, 320) ?? ''}>`].filter(Boolean).join(' ')}`,
      `Date: ${one.headers.get('date') ?? ''}`,
      `Subject: ${storableLine(one.subject, 500) ?? ''}`,
    ]
    return [...lines, '', wholeText(one, textOf)].join('\n')
  })
  return joined([textOf(parts), ...quoted])
}

/** The inquiries in an email, or in one that it forwards as an attachment. */
function formsOf(mails: readonly MailParts[]): FormMail[] {
  const [outer, ...inner] = mails
  const read = (one: MailParts, note: string | null) =>
    readFormMails({
      subject: storableLine(one.subject, 500),
      text: storableText(one.text),
      html: storableText(one.html),
      note,
    })
  if (outer === undefined) return []
  const own = read(outer, null)
  if (own.length > 0) return own
  const note = [storableLine(outer.subject, 500), plainOf(outer)].filter(Boolean).join('\n') || null
  return inner.map((one) => read(one, note)).find((forms) => forms.length > 0) ?? []
}

const idsIn = (header: string | undefined): string[] =>
  (header ?? '').match(/<[^<>\s]{1,300}>/g)?.map((id) => id.slice(1, -1)) ?? []

/** The subjects that mail programs give to notices of their own, in the commonest languages. */
const AWAY =
  /^\s*(?:re:\s*)?(?:automatic reply|auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office(?: reply)?|automatische antwort|abwesenheitsnotiz|réponse automatique|respuesta automática)\s*(?::|-|$|(?:re|fwd?|aw)\s*:)/i
const UNDELIVERED =
  /^\s*(?:undeliver(?:able|ed)\b|delivery status notification|mail delivery (?:failed|failure|subsystem)|returned mail\b|failure notice|delivery (?:has )?failed)/i
const REPLY_HEADERS = ['x-autoreply', 'x-autorespond', 'x-auto-reply', 'x-autoreply-from', 'x-mail-autoreply']

/**
 * Why an email looks as if no person wrote it; null if nothing says so. RFC 3834, and what mail servers did before it. Also of a form or
 * portal that writes for a buyer.
 */
function automaticReason(
  headers: ReadonlyMap<string, string>,
  { fromEmail, subject }: { fromEmail: string; subject: string | null },
): AutomaticReason | null {
  const has = (name: string, is: RegExp) => is.test(headers.get(name) ?? '')
  const isReport = has('content-type', /^multipart\/report\b/i) || headers.has('x-failed-recipients')
  if (/^(?:mailer-daemon|postmaster)@/.test(fromEmail) || headers.get('return-path') === '<>' || isReport)
    return 'bounce'
  if (headers.has('x-loop')) return 'loop'
  const submitted = headers.get('auto-submitted')?.toLowerCase() ?? 'no'
  // Websites and portals send inquiries this way, too: it is no answer to an email.
  if (/^auto-(?:generated|notified)/.test(submitted)) return 'generated'
  const isReply = REPLY_HEADERS.some((name) => headers.has(name)) || has('precedence', /^auto_reply$/i)
  if (!submitted.startsWith('no') || isReply || AWAY.test(subject ?? '')) return 'autoSubmitted'
  if (UNDELIVERED.test(subject ?? '')) return 'bounce'
  const isList = headers.has('list-id') || headers.has('list-unsubscribe')
  return isList || has('precedence', /^(?:bulk|junk|list)$/i) ? 'bulk' : null
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

/** A long email without its attachments, except the ADF documents `kept`, in the format of the webhook. `more`: its other texts. */
export function shortMail(
  parts: MailParts,
  { kept, more = {} }: { kept: readonly MailAttachment[]; more?: Readonly<Record<string, unknown>> },
): string {
  const texts = Object.entries(more).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value.slice(0, LONGEST_BODY).toWellFormed()]] : [],
  )
  let room = LONGEST_BODY * 2
  const contentOf = (one: MailAttachment): string => {
    const content = kept.includes(one) ? one.content().toString('base64') : ''
    if (content.length > Math.min(room, LONGEST_BODY)) return ''
    room -= content.length
    return content
  }
  const body = (text: string | null) => (storableText(text) ?? '').slice(0, LONGEST_BODY).toWellFormed()
  const email = storableLine(parts.from.email, 320)
  const short = {
    ...Object.fromEntries(texts.slice(0, 50)),
    MessageID: parts.postmarkId ?? idsIn(parts.headers.get('message-id'))[0] ?? 'message',
    FromFull: { Email: email, Name: storableLine(parts.from.name, 200) ?? '' },
    ...(parts.replyTo !== null && { ReplyTo: storableLine(parts.replyTo, 1_000) }),
    OriginalRecipient: storableLine(parts.toEmail, 320) ?? '',
    MailboxHash: parts.mailboxHash ?? '',
    Subject: storableLine(parts.subject, 500) ?? '',
    TextBody: body(parts.forwarded.length > 0 ? wholeText(parts) : parts.text),
    HtmlBody: body(parts.html),
    Headers: [...parts.headers].map(([Name, Value]) => ({ Name, Value })),
    Attachments: withForwarded(parts)
      .flatMap(({ attachments }) => attachments)
      .map((one) => {
        const content = contentOf(one)
        return {
          Name: one.name,
          ContentType: one.type,
          ContentLength: one.bytes,
          ...(content !== '' && { Content: content }),
        }
      }),
  }
  return JSON.stringify(short, null, 2)
    .slice(0, ADF_BOUNDS.bytes * 2)
    .toWellFormed()
    .replaceAll('\\u0000', '')
}
