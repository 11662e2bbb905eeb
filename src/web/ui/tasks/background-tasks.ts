import { useSyncExternalStore } from 'react'
import type { Job } from '#contract/jobs/jobs.ts'

/**
 * Work that goes on while the person does something else, and is told of at the foot of the page: a job of the server, or
 * a file on its way to the browser.
 */
export type BackgroundTask = { id: number } & (
  | {
      kind: 'job'
      job: Job
      /** The server cannot be reached, so how far it is now is not known. */ isLost: boolean
    }
  | { kind: 'file'; title: string; bytes: number; cancel: () => void }
)

type TaskUpdate<W> = W extends unknown ? Omit<W, 'id'> : never

let works: readonly BackgroundTask[] = []
let begun = 0
/** Gone when the shell goes: what one person started does not follow the next one. */
let presence = new AbortController()
const viewers = new Set<() => void>()

function show(next: readonly BackgroundTask[]): void {
  works = next
  for (const viewer of viewers) viewer()
}

/** Tells of new work. @returns the number by which it is told further. */
export function startTask(work: TaskUpdate<BackgroundTask>): number {
  begun += 1
  show([...works, { ...work, id: begun }])
  return begun
}

/** Tells how far it is. Work that was put away meanwhile stays away. */
export function updateTask(id: number, work: TaskUpdate<BackgroundTask>): void {
  show(works.map((one) => (one.id === id ? { ...work, id } : one)))
}

/** Whether a job is told of already. */
export function isNotified(jobId: string): boolean {
  return works.some((work) => work.kind === 'job' && work.job.id === jobId)
}

/** Nothing more is to be told of it. */
export function dismissTask(id: number): void {
  show(works.filter((work) => work.id !== id))
}

/** Aborted once nobody is there to be told. */
export function sessionSignal(): AbortSignal {
  return presence.signal
}

/** The shell goes. */
export function clearTasks(): void {
  presence.abort()
  presence = new AbortController()
  show([])
}

/** What goes on, the oldest first. */
export function useTasks(): readonly BackgroundTask[] {
  return useSyncExternalStore(subscribe, () => works)
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}
