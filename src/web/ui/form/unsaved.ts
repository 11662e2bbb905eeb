import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { drafts } from '#web/session/drafts.ts'
import { ask } from '../overlay/dialogs.tsx'

/**
 * Specification section 2, verbatim. True if the user confirms or there is nothing to lose. Signing out isn't a
 * navigation, so it calls this directly.
 */
export async function mayLeave(): Promise<boolean> {
  if (drafts.size === 0) return true
  const isSure = await ask({
    title: 'There are unsaved changes.',
    text: 'Are you sure you want to continue without saving?',
    confirm: 'Confirm',
    // They were being saved, and are saved now.
    isMoot: () => drafts.size === 0,
  })
  if (isSure) for (const forget of drafts.values()) forget()
  return isSure
}

/**
 * Guards a form with unsaved changes: navigation asks first, and closing the tab shows the browser's own prompt. `forget`:
 * called when the user continues without saving.
 */
export function useUnsavedGuard(
  isDirty: boolean,
  forget: () => void = () => {},
): {
  release: (staysDirty?: boolean) => void
} {
  const key = useRef(Symbol('form'))
  const end = useRef(forget)
  const [releases, setReleases] = useState(0)
  useEffect(() => {
    end.current = forget
  })
  useEffect(() => {
    const own = key.current
    if (isDirty) drafts.set(own, () => end.current())
    return () => void drafts.delete(own)
    // A form that stays dirty after a release is guarded again.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [isDirty, releases])
  useBlocker({
    shouldBlockFn: async () => drafts.has(key.current) && !(await mayLeave()),
    enableBeforeUnload: () => drafts.has(key.current),
    disabled: !isDirty,
  })
  // The form is dirty until the next render after a save; `release` lets the navigation happen right away. A form that stays, with
  // what was typed while it was saved, is guarded again.
  return {
    release: (staysDirty = false) => {
      drafts.delete(key.current)
      if (staysDirty) setReleases((before) => before + 1)
    },
  }
}

/** Closes a form without an address of its own. No navigation asks about its unsaved changes, so this does. */
export function closeAfterAsking(close: () => void): (isSaved: boolean) => void {
  return (isSaved) => {
    if (isSaved) close()
    else void mayLeave().then((isSure) => isSure && close())
  }
}
