import { useSyncExternalStore } from 'react'
import type { FileLeaf } from '#contract/files/files.ts'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import { sendFile } from './file-manager.ts'

/** One file on its way up. */
export type Sending = Readonly<{
  id: number
  file: File
  /** Where it goes, by its path. */
  folder: string
  sent: number
  state: 'waiting' | 'sending' | 'done' | 'refused' | 'stopped'
  /** Why it was refused. */
  reason: string | null
  /** There is a file of its name, which it may replace. */
  isTaken: boolean
}>

/** More at a time would only make each of them slower. */
const AT_ONCE = 2

// Outside of any page: an upload goes on while its person looks at something else.
let list: readonly Sending[] = []
let begun = 0
const stops = new Map<number, AbortController>()
const hearers = new Map<number, (leaf: FileLeaf) => void>()
const viewers = new Set<() => void>()

function show(next: readonly Sending[]): void {
  list = next
  for (const viewer of viewers) viewer()
}
function tell(id: number, change: Partial<Sending>): void {
  show(list.map((one) => (one.id === id ? { ...one, ...change } : one)))
}

/** Puts files in line. `onKept` hears of each that is in its folder. @returns the numbers they are told by. */
export function enqueueUpload(
  files: readonly File[],
  folder: string,
  onKept?: (leaf: FileLeaf) => void,
): number[] {
  const added = files.map((file): Sending => {
    begun += 1
    return { id: begun, file, folder, sent: 0, state: 'waiting', reason: null, isTaken: false }
  })
  if (onKept) for (const { id } of added) hearers.set(id, onKept)
  show([...list, ...added])
  work()
  return added.map(({ id }) => id)
}

/** Sends it again, in place of the file that has its name. */
export function replace(id: number): void {
  tell(id, { sent: 0, state: 'sending', reason: null, isTaken: false })
  void send(id, true)
}

/** Gives a file up, or takes it off the list once it is over. */
export function stop(id: number): void {
  const stopper = stops.get(id)
  if (stopper) {
    stopper.abort()
    return
  }
  hearers.delete(id)
  show(list.filter((one) => one.id !== id))
}

/** Takes everything off the list that is over. */
export function clearDone(): void {
  const open = list.filter(({ state }) => state === 'waiting' || state === 'sending')
  for (const { id } of list) if (!open.some((one) => one.id === id)) hearers.delete(id)
  show(open)
}

/** The files of this visit, the oldest first. */
export function useUploads(): readonly Sending[] {
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
    for (const leaf of sent) hearers.get(id)?.(leaf)
    hearers.delete(id)
  }
  if (signal.aborted) tell(id, { state: 'stopped' })
  work()
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}
