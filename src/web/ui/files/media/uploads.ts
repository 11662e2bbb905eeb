import { useSyncExternalStore } from 'react'
import { type FileLeaf, SameContent } from '#contract/files/files.ts'
import { largeUploads, PART_BYTES } from '#contract/files/large-uploads.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { send as sendCall } from '#web/api/query.ts'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import { sendFile, sendLargeFile } from './file-manager.ts'

/** An upload. */
export type Upload = Readonly<{
  id: number
  file: File
  /** Path of the target folder. */
  folder: string
  sent: number
  state: 'waiting' | 'sending' | 'paused' | 'asking' | 'done' | 'refused' | 'stopped'
  /** Why it was rejected or paused. */
  reason: string | null
  /** A file with this name exists and can be replaced. */
  isTaken: boolean
  /** Files of the library with the same content, while it is asked what to do. */
  same: readonly FileLeaf[]
  /** The path of the file that is used instead. */
  used: string | null
  /** In bytes per second; null until it is known. */
  speed: number | null
}>
type Decision = { replaces?: boolean; keepsBoth?: boolean }

/** More parallel uploads would only slow each one down. */
const AT_ONCE = 2
/** Before that, a speed says little. */
const MEASURED_MS = 500

// Outside of any page: an upload continues while the user navigates.
let list: readonly Upload[] = []
let begun = 0
const stops = new Map<number, AbortController>()
const listeners = new Map<number, (leaf: FileLeaf) => void>()
const decisions = new Map<number, Decision>()
/** The IDs of uploads in parts, on the server. */
const remotes = new Map<number, string>()
const viewers = new Set<() => void>()
const cancelRemote = sendCall(largeUploads.cancel)

function show(next: readonly Upload[]): void {
  list = next
  // The browser asks whether to leave the page. Other pages of the product don't end an upload.
  if (list.some(isOpen)) window.addEventListener('beforeunload', askToStay)
  else window.removeEventListener('beforeunload', askToStay)
  for (const viewer of viewers) viewer()
}
function tell(id: number, change: Partial<Upload>): void {
  show(list.map((one) => (one.id === id ? { ...one, ...change } : one)))
}
function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Whether an upload is going on. */
export const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending'
/** Whether an upload can be paused: smaller ones are sent in one request. */
export const isInParts = ({ file }: Pick<Upload, 'file'>): boolean => file.size > PART_BYTES

/** Queues files for upload. `onKept` is called for each stored file. Returns the upload IDs. */
export function enqueueUpload(
  files: readonly File[],
  folder: string,
  onKept?: (leaf: FileLeaf) => void,
): number[] {
  const added = files.map((file): Upload => {
    begun += 1
    const start = { sent: 0, state: 'waiting', reason: null, isTaken: false, speed: null } as const
    return { id: begun, file, folder, ...start, same: [], used: null }
  })
  if (onKept) for (const { id } of added) listeners.set(id, onKept)
  show([...list, ...added])
  work()
  return added.map(({ id }) => id)
}

/** Uploads the file again, or goes on with it, with what was decided before and now: to replace the file with its name, or to keep both. */
export function tryAgain(id: number, decision: Decision = {}): void {
  decisions.set(id, { ...decisions.get(id), ...decision })
  tell(id, { state: 'waiting', reason: null, isTaken: false, same: [] })
  work()
}

/** Uses a file that the library has instead of the uploaded one. */
export function takeExisting(id: number, leaf: FileLeaf): void {
  forgetRemote(id)
  tell(id, { state: 'done', same: [], used: leaf.path })
  listeners.get(id)?.(leaf)
  listeners.delete(id)
}

/** Stops sending for now. */
export function pause(id: number): void {
  tell(id, { state: 'paused', speed: null })
  stops.get(id)?.abort()
}

/** Cancels an upload, or removes it from the list once it has ended. */
export function stop(id: number): void {
  const stopper = stops.get(id)
  if (stopper) {
    tell(id, { state: 'stopped' })
    stopper.abort()
    return
  }
  const found = list.find((one) => one.id === id)
  if (found?.state !== 'done') forgetRemote(id)
  listeners.delete(id)
  show(list.filter((one) => one.id !== id))
}

/** Removes all ended uploads from the list. */
export function clearDone(): void {
  const stays = list.filter((one) => isOpen(one) || one.state === 'paused' || one.state === 'asking')
  for (const one of list) {
    if (stays.includes(one)) continue
    listeners.delete(one.id)
    if (one.state === 'refused') forgetRemote(one.id)
  }
  show(stays)
}

/** The uploads of this visit, oldest first. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, () => list)
}

/** Whether an upload on the server is one of this visit. */
export const isOfThisVisit = (remote: string): boolean => [...remotes.values()].includes(remote)

/** Removes what the server has of an upload. If that fails, it removes it after a day. */
function forgetRemote(id: number): void {
  const remote = remotes.get(id)
  remotes.delete(id)
  if (remote !== undefined) void cancelRemote({ id: remote }).catch(() => {})
}

function work(): void {
  const free = AT_ONCE - stops.size
  for (const { id } of list.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) {
    tell(id, { state: 'sending' })
    void send(id)
  }
}

async function send(id: number): Promise<void> {
  const found = list.find((one) => one.id === id)
  if (!found) return
  const { file, folder } = found
  const stopper = new AbortController()
  stops.set(id, stopper)
  const signal = AbortSignal.any([stopper.signal, sessionSignal()])
  const { replaces = false, keepsBoth = false } = decisions.get(id) ?? {}
  const how = { folder, replaces, asksIfSame: !keepsBoth, signal, ...measure(id) }
  const onRefused = (failure: CallFailure) => tell(id, stateAfter(failure, found))
  const sent = await (isInParts(found)
    ? sendLargeFile(file, { ...how, onBegun: (remote) => remotes.set(id, remote) }, onRefused)
    : sendFile(file, how, onRefused))
  stops.delete(id)
  if (sent !== false) {
    remotes.delete(id)
    tell(id, { state: 'done', sent: file.size })
    for (const leaf of sent) listeners.get(id)?.(leaf)
    listeners.delete(id)
  } else if (signal.aborted) {
    const state = list.find((one) => one.id === id)?.state
    if (state === 'stopped') forgetRemote(id)
    // The session ended.
    if (state === 'sending') tell(id, { state: 'stopped' })
  }
  work()
}

/** What a failure means: a question, a pause until the connection is back, or the end. */
function stateAfter(failure: CallFailure, upload: Upload): Partial<Upload> {
  const { message, status, preview } = failure
  const asked = SameContent.safeParse(preview)
  if (asked.success) return { state: 'asking', same: asked.data.flatMap(({ same }) => same) }
  if (failure.kind === 'offline' && isInParts(upload))
    return { state: 'paused', reason: 'The connection was lost.', speed: null }
  return { state: 'refused', reason: message, isTaken: status === 409, speed: null }
}

/** Notes the bytes that were sent, and how fast, since the upload began, or since the connection is back. */
function measure(id: number): { onSent: (bytes: number) => void; onLost: () => void } {
  let first: { at: number; bytes: number } | null = null
  // It may have been paused or canceled in this moment.
  const note = (change: Partial<Upload>) => {
    if (list.find((one) => one.id === id)?.state === 'sending') tell(id, change)
  }
  return {
    onSent(bytes) {
      const at = performance.now()
      first ??= { at, bytes }
      const ms = at - first.at
      note({ sent: bytes, ...(ms > MEASURED_MS && { speed: ((bytes - first.bytes) / ms) * 1_000 }) })
    },
    onLost() {
      first = null
      note({ speed: 0 })
    },
  }
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}
