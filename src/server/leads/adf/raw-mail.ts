import PostalMime, { type Address, type Email } from 'postal-mime'
import { addressIn, MAIL_BOUNDS, type MailAttachment, type MailParts, storableLine } from './mail-parts.ts'

/** In bytes: where the header of a message is looked for. */
const HEAD_BYTES = 64_000
/** The header lines that a message starts with; some programs write the line of a mailbox file before them. */
const HEAD =
  /^\s*(?:From [^\n]{1,300}\n|>From [^\n]{1,300}\n)?((?:[A-Za-z][\w-]{0,76}:[^\n]*\n(?:[ \t][^\n]*\n)*){2,})/
const FROM = /^(?:from|return-path|received|sender):/im
const OTHERS = /^(?:mime-version|message-id|received|date|delivered-to|dkim-signature|content-type):/im

/** Whether bytes or a text are an internet message (RFC 5322), by its first lines. */
export function isRawMail(sent: Uint8Array | string, contentType = ''): boolean {
  if (/^\s*message\/rfc822/i.test(contentType)) return true
  const start =
    typeof sent === 'string'
      ? sent.slice(0, HEAD_BYTES)
      : Buffer.from(sent.subarray(0, HEAD_BYTES)).toString('latin1')
  const [, head = ''] = HEAD.exec(`${start.replaceAll('\r\n', '\n')}\n`) ?? []
  return FROM.test(head) && OTHERS.test(head)
}

/** Reads an internet message. Null if it says nothing about who sent it. Only for a thread: a message can have 50 MB. */
export async function readRawMail(sent: Uint8Array | string, depth = 0): Promise<MailParts | null> {
  const email = await parse(sent)
  return email === null ? null : partsOf(email, depth)
}

async function parse(sent: Uint8Array | string): Promise<Email | null> {
  try {
    return await PostalMime.parse(sent, { forceRfc822Attachments: true, maxNestingDepth: 50 })
  } catch {
    // More parts within parts, or longer headers, than any mail program makes.
    return null
  }
}

async function partsOf(email: Email, depth: number): Promise<MailParts> {
  const headers = new Map<string, string>()
  for (const { key, value } of email.headers.slice(0, MAIL_BOUNDS.headers)) {
    if (!headers.has(key)) headers.set(key, storableLine(value, 5_000) ?? '')
  }
  const [from] = mailboxes(email.from === undefined ? [] : [email.from])
  const [sender] = mailboxes(email.sender === undefined ? [] : [email.sender])
  const replyTo = mailboxes(email.replyTo ?? [])[0]
  const recipients = [
    ...['x-original-to', 'delivered-to', 'x-envelope-to', 'envelope-to'].flatMap(
      (name) => headers.get(name) ?? [],
    ),
    ...mailboxes([...(email.to ?? []), ...(email.cc ?? [])]).map(({ address }) => address),
  ].flatMap((one) => addressIn(one) ?? [])
  const attachments: MailAttachment[] = []
  const forwarded: MailParts[] = []
  for (const one of email.attachments.slice(0, MAIL_BOUNDS.attachments)) {
    const attachment = attachmentOf(one)
    // oxlint-disable-next-line no-await-in-loop -- One after the other needs less memory.
    const inside =
      isMessage(one.mimeType) && depth < MAIL_BOUNDS.depth
        ? await readRawMail(attachment.content(), depth + 1)
        : null
    if (inside === null) attachments.push(attachment)
    else forwarded.push(inside)
  }
  return {
    postmarkId: null,
    from: {
      email: from?.address ?? sender?.address ?? addressIn(email.returnPath ?? null),
      name: from?.name || sender?.name || null,
    },
    replyTo: replyTo === undefined ? null : `"${replyTo.name.replaceAll('"', "'")}" <${replyTo.address}>`,
    toEmail: recipients[0] ?? null,
    mailboxHash: recipients.flatMap((one) => /\+([^@+]{1,200})@/.exec(one)?.[1] ?? [])[0] ?? null,
    subject: email.subject ?? null,
    text: email.text ?? null,
    html: email.html ?? null,
    headers,
    attachments,
    forwarded,
  }
}

const isMessage = (type: string): boolean => type.toLowerCase() === 'message/rfc822'

const mailboxes = (addresses: readonly Address[]): { name: string; address: string }[] =>
  addresses.flatMap((one) => {
    const all = one.group ?? [one]
    return all.flatMap(({ name, address }) => (address === '' ? [] : [{ name, address }]))
  })

function attachmentOf({ filename, mimeType, content }: Email['attachments'][number]): MailAttachment {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))
  return {
    name: storableLine(filename, 200) ?? defaultName(mimeType),
    type: storableLine(mimeType, 200) ?? '',
    bytes: bytes.length,
    start: (length) => bytes.subarray(0, length),
    content: () => bytes,
  }
}

/** "image.png" of an image without a name. */
export const defaultName = (type: string): string => {
  const [, kind, format] =
    /^(image|audio|video|text|application|message)\/(?:x-)?([a-z0-9]{2,5})$/i.exec(type) ?? []
  return kind === undefined || format === undefined
    ? 'attachment'
    : `${kind.toLowerCase()}.${format.toLowerCase()}`
}
