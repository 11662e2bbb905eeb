// Runs in a thread with limited memory and time, so that no document can block the server.
import { parentPort } from 'node:worker_threads'
import { type ParsedAdf, parseAdf } from './parse-adf.ts'
import { type ReadMail, readMail } from './read-mail.ts'

/** What was received: an ADF document, or an email in the format of Postmark's inbound webhook. */
export type InboundTask = { kind: 'adf' | 'mail'; bytes: Uint8Array<ArrayBuffer> }
export type ReadInbound =
  | { kind: 'adf'; adf: ParsedAdf }
  | { kind: 'mail'; mail: ReadMail }
  | { kind: 'refused'; message: string }

parentPort?.on('message', ({ kind, bytes }: InboundTask) => {
  const read: ReadInbound = kind === 'adf' ? { kind, adf: parseAdf(bytes) } : readMail(bytes)
  parentPort?.postMessage(read, [])
})
