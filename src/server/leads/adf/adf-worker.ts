// Runs in a thread with limited memory and time, so that no document can block the server.
import { parentPort } from 'node:worker_threads'
import { JSON_REFUSALS } from '#server/threads/parse-json.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { decodeText } from './decode-adf.ts'
import { type ParsedAdf, parseAdf } from './parse-adf.ts'
import { type ReadMail, readMail } from './read-mail.ts'
import { unwrapAdf } from './unwrap-adf.ts'

/** What was received, in pieces. `isText`: they are the UTF-8 of a text that was decoded before. */
export type InboundTask = { pieces: Uint8Array<ArrayBuffer>[]; contentType: string; isText?: boolean }
/** `failed`: the thread had to be stopped. `raw` is the whole text as it was sent. */
export type ReadInbound =
  | { kind: 'adf'; adf: ParsedAdf; raw: string }
  | { kind: 'mail'; mail: ReadMail; raw: string }
  | { kind: 'failed'; message: string }

parentPort?.on('message', (task: InboundTask) => parentPort?.postMessage(readInbound(task), []))

/** An ADF document, plain or wrapped, or an email in the format of Postmark's inbound webhook: both URLs take both. */
function readInbound({ pieces, contentType, isText = false }: InboundTask): ReadInbound {
  const bytes = Buffer.concat(pieces)
  const text = decodeText(bytes)
  const found = text === null ? { kind: 'plain' as const } : unwrapAdf(text, contentType)
  if (text === null || found.kind === 'plain') {
    const adf = parseAdf(bytes, { isText })
    return { kind: 'adf', adf, raw: adf.text }
  }
  const raw = text.slice(0, ADF_BOUNDS.bytes).toWellFormed().replaceAll('\0', '')
  if (found.kind === 'document')
    return { kind: 'adf', adf: parseAdf(new TextEncoder().encode(found.xml), { isText: true }), raw }
  const mail = found.kind === 'json' ? readMail(found.value, text) : null
  if (mail !== null) return { kind: 'mail', mail, raw: mail.raw }
  const message = REFUSED_JSON[found.kind]
  return { kind: 'adf', adf: { kind: 'refused', text: raw, encoding: 'utf-8', message }, raw }
}

const REFUSED_JSON = {
  ...JSON_REFUSALS,
  json: 'This JSON has neither an ADF document in one of its properties nor the properties "MessageID" and "From" of an email.',
}
