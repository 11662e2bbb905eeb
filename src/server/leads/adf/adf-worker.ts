// Runs in a thread with limited memory and time, so that no document can block the server.
import { parentPort } from 'node:worker_threads'
import { JSON_REFUSALS } from '#server/threads/parse-json.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { decodeText } from './decode-adf.ts'
import { filesOf, type MailFile } from './mail-files.ts'
import { type ParsedAdf, parseAdf } from './parse-adf.ts'
import { isRawMail, readRawMail } from './raw-mail.ts'
import { type ReadMail, readMail, shortMail } from './read-mail.ts'
import { unwrapAdf } from './unwrap-adf.ts'
import { objectOf, readWebhookMail } from './webhook-mail.ts'

/** What was received, in pieces. `isText`: they are the UTF-8 of a text that was decoded before. */
export type InboundTask = { pieces: Uint8Array<ArrayBuffer>[]; contentType: string; isText?: boolean }
/** `failed`: the thread had to be stopped. `raw` is the whole text as it was sent, with a content type by which it can be read again. */
export type ReadInbound =
  | { kind: 'adf'; adf: ParsedAdf; raw: string }
  | { kind: 'mail'; mail: ReadMail; files: MailFile[]; raw: string; contentType: string }
  | { kind: 'failed'; message: string }

// A task that fails ends the thread.
parentPort?.on('message', (task: InboundTask) => {
  void readInbound(task).then((read) => {
    const files = read.kind === 'mail' ? read.files : []
    parentPort?.postMessage(
      read,
      files.flatMap(({ content }) => (content === null ? [] : [content.buffer])),
    )
  })
})

/**
 * An ADF document, plain or wrapped, or an email: an internet message (RFC 5322), plain or wrapped, or in the format of Postmark's
 * inbound webhook. Both URLs take all of them.
 */
async function readInbound({ pieces, contentType, isText = false }: InboundTask): Promise<ReadInbound> {
  const bytes = Buffer.concat(pieces)
  if (isRawMail(bytes, contentType)) {
    const read = await readMessage(storedBytes(bytes, { contentType, isText }), { hasFiles: !isText })
    if (read !== null) return read
  }
  const text = decodeText(bytes)
  const found = text === null ? { kind: 'plain' as const } : unwrapAdf(text, contentType)
  if (text === null || found.kind === 'plain') {
    const adf = parseAdf(bytes, { isText })
    return { kind: 'adf', adf, raw: adf.text }
  }
  const raw = text.slice(0, ADF_BOUNDS.bytes).toWellFormed().replaceAll('\0', '')
  if (found.kind === 'document')
    return { kind: 'adf', adf: parseAdf(new TextEncoder().encode(found.xml), { isText: true }), raw }
  if (found.kind === 'message') {
    const read = await readMessage(found.message, { hasFiles: !isText })
    if (read !== null) return read
    return refused(raw, 'The email in this message has no sender, or more parts than can be read.')
  }
  if (found.kind === 'json') {
    const read = await readWebhook(found.value, { json: text, hasFiles: !isText })
    if (read !== null) return read
  }
  return refused(raw, REFUSED_JSON[found.kind])
}

function refused(raw: string, message: string): ReadInbound {
  return { kind: 'adf', adf: { kind: 'refused', text: raw, encoding: 'utf-8', message }, raw }
}

/** `hasFiles`: false for a text that is read again, whose files are kept. */
type FileOption = { hasFiles: boolean }

async function readWebhook(
  value: unknown,
  { json, hasFiles }: FileOption & { json: string },
): Promise<ReadInbound | null> {
  const parts = await readWebhookMail(value)
  const read = parts === null ? null : readMail(parts)
  if (parts === null || read === null) return null
  const isShort = json.length <= ADF_BOUNDS.bytes
  const raw = isShort
    ? json.toWellFormed().replaceAll('\0', '')
    : shortMail(parts, { kept: read.documents, more: objectOf(value) })
  return { kind: 'mail', ...ofMail(read, hasFiles), raw, contentType: 'application/json' }
}

async function readMessage(message: Uint8Array, { hasFiles }: FileOption): Promise<ReadInbound | null> {
  const parts = await readRawMail(message)
  const read = parts === null ? null : readMail(parts)
  if (parts === null || read === null) return null
  if (message.length > ADF_BOUNDS.bytes)
    return {
      kind: 'mail',
      ...ofMail(read, hasFiles),
      raw: shortMail(parts, { kept: read.documents }),
      contentType: 'application/json',
    }
  const utf8 = decodeText(message)
  return {
    kind: 'mail',
    ...ofMail(read, hasFiles),
    raw: (utf8 ?? Buffer.from(message).toString('latin1')).replaceAll('\0', ''),
    contentType: utf8 === null ? LATIN1_MESSAGE : 'message/rfc822',
  }
}

type Read = NonNullable<ReturnType<typeof readMail>>

const ofMail = ({ mail, attachments, documents }: Read, hasFiles: boolean) => ({
  mail,
  files: hasFiles ? filesOf(attachments, documents) : [],
})

/** A message whose bytes aren't UTF-8 is kept byte by byte, so that its parts can be read again in their own encodings. */
const LATIN1_MESSAGE = 'message/rfc822; charset=iso-8859-1'

function storedBytes(
  bytes: Buffer,
  { contentType, isText }: { contentType: string; isText: boolean },
): Buffer {
  const text = isText && contentType === LATIN1_MESSAGE ? bytes.toString('utf8') : null
  // A corrected text can have letters beyond.
  return text === null || /[^\0-\u00FF]/.test(text) ? bytes : Buffer.from(text, 'latin1')
}

const REFUSED_JSON = {
  ...JSON_REFUSALS,
  json: 'This JSON has neither an ADF document or email in one of its properties nor the properties "MessageID" and "From" of an email.',
}
