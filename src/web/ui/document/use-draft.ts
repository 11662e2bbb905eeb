import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { drafts } from '#web/session/drafts.ts'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { type KeptText, useKeptTyping } from '#web/ui/record/kept-typing.ts'
import { DocumentSaver, type SavedView, type SaverParts } from './document-saver.ts'

type Draft<D extends Versioned, C> = Readonly<{
  saver: DocumentSaver<D, C>
  view: SavedView<D, C>
  /** What the same person changed here before and could not save, as in a conflict. */
  kept: KeptText
}>
type Versioned = Readonly<{ version: number }>

/**
 * The draft of a loaded document, saved while it is edited. Leaving the page saves it first. What isn't saved yet stays on this
 * device. `endpoint`: the call that saves it.
 */
export function useDraft<D extends Versioned, C extends Readonly<Record<string, unknown>>>(
  loaded: D,
  endpoint: Endpoint,
  parts: SaverParts<D, C>,
): Draft<D, C> {
  const [saver] = useState(() => new DocumentSaver(loaded, parts))
  const view = useSyncExternalStore(saver.subscribe, saver.view)
  const isDirty = view.state !== 'saved'
  const before = parts.contentOf(view.stored)
  const isChanged = (name: string) => !isEqual(view.content[name], before[name])
  const kept = useKeptTyping({
    endpoint,
    record: view.stored,
    values: view.content,
    loaded: before,
    changed: isDirty ? Object.keys(before).filter(isChanged) : [],
    putBack: (values) => saver.change({ ...saver.view().content, ...values }),
    merge: parts.merge,
  })
  const end = useRef(kept.end)
  useEffect(() => {
    end.current = kept.end
  })
  const [key] = useState(() => Symbol('draft'))
  useEffect(() => {
    if (isDirty) drafts.set(key, () => end.current())
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
  return { saver, view, kept }
}
