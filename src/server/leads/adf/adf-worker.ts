// Runs in a thread with limited memory and time, so that no document can block the server.
import { parentPort } from 'node:worker_threads'
import { type ParsedAdf, parseAdf } from './parse-adf.ts'
import { type ReadMail, readMail } from './read-mail.ts'

/** What was received: an ADF document, or an email in the format of Postmark's inbound webhook. */
export type InboundTask = { kind: 'adf' | 'mail'; bytes: Uint8Array<ArrayBuffer> }
/** `failed`: the thread had to be stopped. */
export type ReadInbound =
  | { kind: 'adf'; adf: ParsedAdf }
  | { kind: 'mail'; mail: ReadMail }
  | { kind: 'failed'; message: string }

parentPort?.on('message', ({ kind, bytes }: InboundTask) => {
  const mail = kind === 'mail' ? readMail(bytes) : null
  // What isn't an email in that format may be a document that was sent to the wrong address.
  const read: ReadInbound = mail === null ? { kind: 'adf', adf: parseAdf(bytes) } : { kind: 'mail', mail }
  parentPort?.postMessage(read, [])
})
