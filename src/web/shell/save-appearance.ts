import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { auth } from '#contract/identity/auth.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { getAppearance, isUnsaved, markSaved, subscribe, takeAppearance } from '#web/ui/layout/appearance.ts'

/** Somebody trying out looks clicks through them: only where they stop is kept. */
const DEBOUNCE_MS = 600
/** Signing out does not wait longer than this for a server that does not answer. */
const PATIENCE_MS = 2_000

let failure: CallFailure | null = null
let saving: Promise<void> | null = null
const viewers = new Set<() => void>()

/** Tells the server what the person chose last, and again until that is what it has. */
async function save(): Promise<void> {
  const chosen = getAppearance()
  try {
    await call(auth.saveAppearance, chosen)
    markSaved(chosen)
    tell(null)
    await queryClient.invalidateQueries({ queryKey: keyOf(auth.me) })
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    // It still holds on this machine, and is told again with the next change, by hand or at the next start.
    tell(error)
    return
  }
  if (getAppearance() !== chosen) await save()
}

function saveOnce(): Promise<void> {
  saving ??= save().finally(() => {
    saving = null
  })
  return saving
}

function tell(next: CallFailure | null): void {
  failure = next
  for (const viewer of viewers) viewer()
}

/** What the server still has to be told is told now, for a short while. */
export async function saveAppearanceNow(): Promise<void> {
  if (!isUnsaved()) return
  await Promise.race([saveOnce(), new Promise((over) => setTimeout(over, PATIENCE_MS))])
}

/** Why the latest choice could not be kept, and how to try again; null while all is well. */
export function useKeepingFailure(): { failure: CallFailure; retry: () => void } | null {
  const found = useSyncExternalStore(
    (viewer) => {
      viewers.add(viewer)
      return () => void viewers.delete(viewer)
    },
    () => failure,
  )
  return found && { failure: found, retry: () => void saveOnce() }
}

/**
 * Ties the looks to the person: what the server keeps counts on every machine, what is chosen here goes to the server.
 * A choice it never got is not overwritten, it is told again.
 */
export function useSavedAppearance(): void {
  const kept = useQuery(query(auth.me, {})).data?.appearance ?? null
  useEffect(() => {
    if (isUnsaved()) void saveOnce()
    else if (kept) takeAppearance(kept)
  }, [kept])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = subscribe(() => {
      clearTimeout(timer)
      if (isUnsaved()) timer = setTimeout(() => void saveOnce(), DEBOUNCE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
      tell(null)
    }
  }, [])
}
