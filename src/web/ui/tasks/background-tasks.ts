import { useSyncExternalStore } from 'react'
import type { Job } from '#contract/jobs/jobs.ts'

/**
 * A task that runs while the user does something else, shown at the bottom of the page: a job on the server, or a
 * file download.
 */
export type BackgroundTask = { id: number } & (
  | {
      kind: 'job'
      job: Job
      /** The server can't be reached, so the current progress is unknown. */ isLost: boolean
    }
  | { kind: 'file'; title: string; bytes: number; cancel: () => void }
)

type TaskUpdate<W> = W extends unknown ? Omit<W, 'id'> : never

let tasks: readonly BackgroundTask[] = []
let lastId = 0
/** Aborted when the shell unmounts: one user's tasks must not carry over to the next. */
let presence = new AbortController()
const viewers = new Set<() => void>()

function show(next: readonly BackgroundTask[]): void {
  tasks = next
  for (const viewer of viewers) viewer()
}

/** Adds a task. Returns its ID for updates. */
export function startTask(task: TaskUpdate<BackgroundTask>): number {
  lastId += 1
  show([...tasks, { ...task, id: lastId }])
  return lastId
}

/** Updates a task. A dismissed task stays dismissed. */
export function updateTask(id: number, task: TaskUpdate<BackgroundTask>): void {
  show(tasks.map((one) => (one.id === id ? { ...task, id } : one)))
}

/** Whether a job already has a notice. */
export function isNotified(jobId: string): boolean {
  return tasks.some((task) => task.kind === 'job' && task.job.id === jobId)
}

/** Removes the notice of a task. */
export function dismissTask(id: number): void {
  show(tasks.filter((task) => task.id !== id))
}

/** Aborted when the session ends. */
export function sessionSignal(): AbortSignal {
  return presence.signal
}

/** Stops and removes all tasks, when the shell unmounts. */
export function clearTasks(): void {
  presence.abort()
  presence = new AbortController()
  show([])
}

/** The current tasks, oldest first. */
export function useTasks(): readonly BackgroundTask[] {
  return useSyncExternalStore(subscribe, () => tasks)
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}
