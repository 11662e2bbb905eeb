import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { auth } from '#contract/identity/auth.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { getAppearance, isUnsaved, markSaved, subscribe, applyAppearance } from '#web/ui/layout/appearance.ts'

/** Users try several options in a row: only the last one is saved. */
const DEBOUNCE_MS = 600
/** Signing out doesn't wait longer than this for an unresponsive server. */
const PATIENCE_MS = 2_000

let failure: CallFailure | null = null
let saving: Promise<void> | null = null
const viewers = new Set<() => void>()

/** Saves the user's latest choice, until the server has it. */
async function save(): Promise<void> {
  const chosen = getAppearance()
  try {
    await call(auth.saveAppearance, chosen)
    markSaved(chosen)
    notify(null)
    await queryClient.invalidateQueries({ queryKey: keyOf(auth.me) })
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    // It still applies on this device, and is sent again with the next change, a retry or the next start.
    notify(error)
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

function notify(next: CallFailure | null): void {
  failure = next
  for (const viewer of viewers) viewer()
}

/** Saves unsaved changes immediately, within a short time limit. */
export async function saveAppearanceNow(): Promise<void> {
  if (!isUnsaved()) return
  await Promise.race([saveOnce(), new Promise((over) => setTimeout(over, PATIENCE_MS))])
}

/** Why the latest choice couldn't be saved, with a retry; null if everything is saved. */
export function useAppearanceSaveFailure(): { failure: CallFailure; retry: () => void } | null {
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
 * Syncs the appearance with the user's account: stored settings apply on every device, and changes are sent to the
 * server. An unsent change is not overwritten, but sent again.
 */
export function useSavedAppearance(): void {
  const saved = useQuery(query(auth.me, {})).data?.appearance ?? null
  useEffect(() => {
    if (isUnsaved()) void saveOnce()
    else if (saved) applyAppearance(saved)
  }, [saved])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = subscribe(() => {
      clearTimeout(timer)
      if (isUnsaved()) timer = setTimeout(() => void saveOnce(), DEBOUNCE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
      notify(null)
    }
  }, [])
}
