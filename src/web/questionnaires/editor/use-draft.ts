import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import {
  type Questionnaire,
  questionnaireRecord,
  questionnaires,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { call } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { drafts } from '#web/session/drafts.ts'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { DraftSaver, type DraftView } from './draft-saver.ts'

/** Keeps the saved questionnaire for the next visit, and reads the list again when it is shown. */
export function setQuestionnaireInCache(saved: Questionnaire): void {
  queryClient.setQueryData([...keyOf(questionnaires.get), { id: saved.id }], saved)
  void queryClient.invalidateQueries({ queryKey: keyOf(questionnaires.list) })
}

/** The draft of a loaded questionnaire, saved while it is edited. Leaving the page saves it first. */
export function useDraft(loaded: Questionnaire): { saver: DraftSaver; view: DraftView } {
  const [saver] = useState(
    () =>
      new DraftSaver(loaded, {
        save: ({ draft, scoring }, version) =>
          call(questionnaires.update, { id: loaded.id, version, draft, scoring }),
        readCurrent: ({ current }) => questionnaireRecord.schema.safeParse(current).data ?? null,
        onSaved: setQuestionnaireInCache,
      }),
  )
  const view = useSyncExternalStore(saver.subscribe, saver.view)
  const isDirty = view.state !== 'saved'
  const [key] = useState(() => Symbol('questionnaire'))
  useEffect(() => {
    if (isDirty) drafts.add(key)
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
