import { useSyncExternalStore } from 'react'
import type { FileLeaf } from '#contract/files/files.ts'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import { sendFile } from './file-manager.ts'

/** An upload. */
export type Upload = Readonly<{
  id: number
  file: File
  /** Path of the target folder. */
  folder: string
  sent: number
  state: 'waiting' | 'sending' | 'done' | 'refused' | 'stopped'
  /** Why it was rejected. */
  reason: string | null
  /** A file with this name exists and can be replaced. */
  isTaken: boolean
}>

/** More parallel uploads would only slow each one down. */
const AT_ONCE = 2

// Outside of any page: an upload continues while the user navigates.
let list: readonly Upload[] = []
let begun = 0
const stops = new Map<number, AbortController>()
const listeners = new Map<number, (leaf: FileLeaf) => void>()
const viewers = new Set<() => void>()

function show(next: readonly Upload[]): void {
  list = next
  for (const viewer of viewers) viewer()
}
function tell(id: number, change: Partial<Upload>): void {
  show(list.map((one) => (one.id === id ? { ...one, ...change } : one)))
}

/** Queues files for upload. `onKept` is called for each stored file. Returns the upload IDs. */
export function enqueueUpload(
  files: readonly File[],
  folder: string,
  onKept?: (leaf: FileLeaf) => void,
): number[] {
  const added = files.map((file): Upload => {
    begun += 1
    return { id: begun, file, folder, sent: 0, state: 'waiting', reason: null, isTaken: false }
  })
  if (onKept) for (const { id } of added) listeners.set(id, onKept)
  show([...list, ...added])
  work()
  return added.map(({ id }) => id)
}

/** Uploads the file again, replacing the existing file with its name. */
export function replace(id: number): void {
  tell(id, { sent: 0, state: 'sending', reason: null, isTaken: false })
  void send(id, true)
}

/** Cancels an upload, or removes it from the list once it has ended. */
export function stop(id: number): void {
  const stopper = stops.get(id)
  if (stopper) {
    stopper.abort()
    return
  }
  listeners.delete(id)
  show(list.filter((one) => one.id !== id))
}

/** Removes all ended uploads from the list. */
export function clearDone(): void {
  const open = list.filter(({ state }) => state === 'waiting' || state === 'sending')
  for (const { id } of list) if (!open.some((one) => one.id === id)) listeners.delete(id)
  show(open)
}

/** The uploads of this visit, oldest first. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, () => list)
}

function work(): void {
  const free = AT_ONCE - list.filter(({ state }) => state === 'sending').length
  for (const { id } of list.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) {
    tell(id, { state: 'sending' })
    void send(id, false)
  }
}

async function send(id: number, replaces: boolean): Promise<void> {
  const found = list.find((one) => one.id === id)
  if (!found) return
  const stopper = new AbortController()
  stops.set(id, stopper)
  const signal = AbortSignal.any([stopper.signal, sessionSignal()])
  const sent = await sendFile(
    found.file,
    { folder: found.folder, replaces, signal, onSent: (bytes) => tell(id, { sent: bytes }) },
    ({ message, status }) => tell(id, { state: 'refused', reason: message, isTaken: status === 409 }),
  )
  stops.delete(id)
  if (sent !== false) {
    tell(id, { state: 'done', sent: found.file.size })
    for (const leaf of sent) listeners.get(id)?.(leaf)
    listeners.delete(id)
  }
  if (signal.aborted) tell(id, { state: 'stopped' })
  work()
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}
