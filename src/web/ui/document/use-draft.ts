import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { drafts } from '#web/session/drafts.ts'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { DocumentSaver, type SavedView, type SaverParts } from './document-saver.ts'

/** The draft of a loaded document, saved while it is edited. Leaving the page saves it first. */
export function useDraft<D extends Readonly<{ version: number }>, C>(
  loaded: D,
  parts: SaverParts<D, C>,
): { saver: DocumentSaver<D, C>; view: SavedView<D, C> } {
  const [saver] = useState(() => new DocumentSaver(loaded, parts))
  const view = useSyncExternalStore(saver.subscribe, saver.view)
  const isDirty = view.state !== 'saved'
  const [key] = useState(() => Symbol('draft'))
  useEffect(() => {
    if (isDirty) drafts.set(key, () => {})
    return () => void drafts.delete(key)
  }, [isDirty, key])
  useEffect(() => {
    const saveWhenHidden = () => {
      if (document.visibilityState === 'hidden') void saver.flush()
    }
    document.addEventListener('visibilitychange', saveWhenHidden)
    return () => {
      document.removeEventListener('visibilitychange', saveWhenHidden)
      saver.stop()
    }
  }, [saver])
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // The tabs of the editor lose nothing.
      if (current.pathname === next.pathname) return false
      return !(await saver.flush()) && !(await mayLeave())
    },
    enableBeforeUnload: () => saver.isDirty,
    disabled: !isDirty,
  })
  return { saver, view }
}
