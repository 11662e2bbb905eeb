import { useSyncExternalStore } from 'react'
import { readToken } from '#web/session/store.ts'

/** When the last job ended that the person knows of, by the clock of the server; gone with the session. */
const KEY = 'jobsLookedAt'
const viewers = new Set<() => void>()

/** The person saw this job end, or all of them. */
export function lookAtJobs(endedAt: string | null): void {
  if (endedAt === null || endedAt <= readLook()) return
  // An answer that comes while the session ends, here or in another tab: signing out leaves nothing behind.
  if (readToken().accessToken === '') return
  localStorage.setItem(KEY, endedAt)
  for (const viewer of viewers) viewer()
}

/** The instant up to which ended jobs are no news; empty before the first look. */
export function useLookedAt(): string {
  return useSyncExternalStore(subscribe, readLook)
}

function readLook(): string {
  return localStorage.getItem(KEY) ?? ''
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  // Another tab of the same person.
  addEventListener('storage', viewer)
  return () => {
    viewers.delete(viewer)
    removeEventListener('storage', viewer)
  }
}
