import { useSyncExternalStore } from 'react'
import { readToken } from '#web/session/store.ts'

/** When the latest job that the user knows of ended, by the server's clock; cleared with the session. */
const KEY = 'jobsLookedAt'
const viewers = new Set<() => void>()

/** Marks jobs that ended up to this instant as seen. */
export function markJobsSeen(endedAt: string | null): void {
  if (endedAt === null || endedAt <= readSeenAt()) return
  // A response may arrive while the session ends, here or in another tab: signing out must leave nothing in
  // storage.
  if (readToken().accessToken === '') return
  localStorage.setItem(KEY, endedAt)
  for (const viewer of viewers) viewer()
}

/** Jobs that ended up to this instant are not new; empty before the first visit. */
export function useJobsSeenAt(): string {
  return useSyncExternalStore(subscribe, readSeenAt)
}

function readSeenAt(): string {
  return localStorage.getItem(KEY) ?? ''
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  // Another tab of the same user.
  addEventListener('storage', viewer)
  return () => {
    viewers.delete(viewer)
    removeEventListener('storage', viewer)
  }
}
