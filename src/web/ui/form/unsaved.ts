import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { drafts } from '#web/session/drafts.ts'
import { ask } from '../overlay/dialogs.tsx'

// Signing out is no navigation, so it asks here.
/** Specification section 2, to the letter. True when the person goes on or nothing would be lost. */
export async function mayLeave(): Promise<boolean> {
  if (drafts.size === 0) return true
  return ask({
    title: 'There are unsaved changes.',
    text: 'Are you sure you want to continue without saving?',
    confirm: 'Confirm',
  })
}

/** Guards a form: any navigation asks first, closing the tab shows the browser's own question. */
export function useUnsavedGuard(isDirty: boolean): { release: () => void } {
  const key = useRef(Symbol('form'))
  useEffect(() => {
    const own = key.current
    if (isDirty) drafts.add(own)
    return () => void drafts.delete(own)
  }, [isDirty])
  useBlocker({
    shouldBlockFn: async () => drafts.has(key.current) && !(await mayLeave()),
    enableBeforeUnload: () => drafts.has(key.current),
    disabled: !isDirty,
  })
  // What was just saved is dirty until the next render; the way out must not wait for it.
  return { release: () => void drafts.delete(key.current) }
}
