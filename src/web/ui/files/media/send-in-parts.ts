import { z } from 'zod'
import { type FileLeaf, MEDIA_CONTAINER } from '#contract/files/files.ts'
import { type LargeUpload, largeUploads, PART_BYTES } from '#contract/files/large-uploads.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { markStale } from '#web/api/query.ts'
import { uploadBytes } from '#web/api/upload.ts'

export type SendingParts = {
  folder: string
  replaces: boolean
  asksIfSame: boolean
  signal: AbortSignal
  onSent: (bytes: number) => void
  /** Called when the connection is lost, and it is tried again soon. */
  onLost: () => void
  /** Called with the ID of the upload, by which it can be canceled. */
  onBegun: (id: string) => void
}

/** How long to wait after the first, the second and further lost connections. */
const WAITS_MS = [1_000, 3_000, 10_000, 20_000]

/**
 * Uploads a file in parts. If an earlier upload of it broke off, its parts are compared with the file, and it goes on from there. A lost
 * connection is tried again a few times. Throws a CallFailure; an aborted upload throws the signal's reason and can go on later.
 */
export async function sendInParts(file: File, sending: SendingParts): Promise<FileLeaf[]> {
  const { folder, replaces, asksIfSame, signal, onSent, onBegun } = sending
  const patiently = <T>(work: () => Promise<T>) => tryPatiently(sending, work)
  const { id, release, ...open } = await patiently(() => findOrBegin(file, folder, replaces))
  try {
    onBegun(id)
    let { received } = open
    onSent(received)
    while (received < file.size) {
      const offset = received
      const part = file.slice(offset, offset + PART_BYTES)
      // oxlint-disable-next-line no-await-in-loop -- In order.
      const sha256 = await hashOf(part)
      const input = { id, offset, ...(sha256 !== null && { sha256 }) }
      const options = { signal, onSent: (bytes: number) => onSent(offset + Math.min(bytes, part.size)) }
      // oxlint-disable-next-line no-await-in-loop -- In order.
      received = await patiently(() =>
        uploadBytes(largeUploads.part, input, part, options).then((answer) => answer.received, readReceived),
      )
    }
    const leaf = await patiently(() =>
      call(largeUploads.complete, { id, overwrite: replaces, askIfSame: asksIfSame }, { signal }),
    )
    markStale(largeUploads.complete)
    return [leaf]
  } finally {
    release()
  }
}

const Received = z.object({ received: z.number() })

/** Another part is next, because the answer to this one was lost. */
function readReceived(failure: unknown): number {
  const current = failure instanceof CallFailure ? Received.safeParse(failure.current) : null
  if (current?.success === true) return current.data.received
  throw failure
}

/** Tries again while the server can't be reached. */
async function tryPatiently<T>(
  { signal, onLost }: Pick<SendingParts, 'signal' | 'onLost'>,
  work: () => Promise<T>,
): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- One attempt after the other.
      return await work()
    } catch (failure) {
      const isLost = failure instanceof CallFailure && failure.kind === 'offline'
      if (!isLost || signal.aborted) throw failure
      onLost()
      // oxlint-disable-next-line no-await-in-loop -- The same.
      await pause(wait, signal)
    }
  }
  return work()
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((over, failed) => {
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      failed(signal.reason)
    })
  })
}

type Open = { id: string; received: number; release: () => void }

/** An upload of this file that no other tab is sending, or a new one. */
async function findOrBegin(file: File, folder: string, replaces: boolean): Promise<Open> {
  const at = { container: MEDIA_CONTAINER }
  for (const one of await call(largeUploads.list, at)) {
    if (!isUploadOf(one, file, folder)) continue
    // oxlint-disable-next-line no-await-in-loop -- The first that can go on.
    const release = await lock(one.id)
    if (release === null) continue
    // oxlint-disable-next-line no-await-in-loop -- The same.
    if (await hasParts(file, one)) return { ...one, release }
    release()
  }
  const begun = await call(largeUploads.begin, {
    ...at,
    path: folder,
    name: file.name,
    bytes: file.size,
    fileTime: file.lastModified,
    overwrite: replaces,
  })
  return { ...begun, release: (await lock(begun.id)) ?? (() => {}) }
}

/** Whether an upload is of a file, by everything but its content. */
export function isUploadOf(
  { name, bytes, fileTime, path }: LargeUpload,
  file: File,
  folder: string,
): boolean {
  return (
    name === file.name.normalize('NFC').trim() &&
    bytes === file.size &&
    fileTime === file.lastModified &&
    path === folder
  )
}

/** Whether the parts that arrived are those of the file. */
async function hasParts(file: File, { parts }: LargeUpload): Promise<boolean> {
  for (const [number, known] of parts.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- One part in memory.
    const hash = await hashOf(file.slice(number * PART_BYTES, (number + 1) * PART_BYTES))
    if (hash !== known) return false
  }
  return true
}

/** The SHA-256; null where the browser has none, because the page isn't encrypted. */
async function hashOf(part: Blob): Promise<string | null> {
  if (!window.isSecureContext) return null
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await part.arrayBuffer()))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const LOCK = 'forecourt upload '

/** The IDs of the uploads that a tab of this browser is sending. */
export async function readSending(): Promise<string[]> {
  if (!window.isSecureContext) return []
  const { held = [] } = await navigator.locks.query()
  return held.flatMap(({ name = '' }) => (name.startsWith(LOCK) ? [name.slice(LOCK.length)] : []))
}

/** Keeps other tabs from sending to an upload. @returns what ends that; null if another tab is sending */
function lock(id: string): Promise<(() => void) | null> {
  if (!window.isSecureContext) return Promise.resolve(() => {})
  return new Promise((found) => {
    void navigator.locks.request(`${LOCK}${id}`, { ifAvailable: true }, (held) => {
      if (held === null) {
        found(null)
        return undefined
      }
      return new Promise<void>((release) => found(() => release()))
    })
  })
}
