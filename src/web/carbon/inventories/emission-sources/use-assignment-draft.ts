import { useEffect, useRef, useState } from 'react'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { type Draft, NO_DRAFT, readDraft } from './assignment-draft.ts'

/** One draft a person and inventory. It outlives a crash and leaving the page, and ends with the session. */
const keyOfDraft = (userId: string, inventoryId: string) => `carbonAssignments.${userId}.${inventoryId}`

function store(key: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(draft))
}

/**
 * Assignment changes that nobody saved yet. Leaving with them asks (specification, section 2), and so does coming back
 * to them: going on without saving drops them, not doing so puts them back where they were.
 * @param isOpen false where the inventory takes no changes: a draft that waits is then left alone.
 */
export function useAssignmentDraft(userId: string, inventoryId: string, isOpen: boolean) {
  const [draft, setDraft] = useState(NO_DRAFT)
  const [isAsking, setIsAsking] = useState(false)
  const isAsked = useRef(false)
  const key = keyOfDraft(userId, inventoryId)
  const { release } = useUnsavedGuard(Object.keys(draft).length > 0)

  useEffect(() => {
    if (isAsked.current || !isOpen) return
    isAsked.current = true
    const kept = readDraft(localStorage.getItem(key) ?? '')
    if (Object.keys(kept).length > 0) void askAboutKept(kept)
    async function askAboutKept(waiting: Draft) {
      setIsAsking(true)
      const goesOnWithout = await ask({
        title: 'There are unsaved changes.',
        text: 'Are you sure you want to continue without saving?',
        confirm: 'Confirm',
      })
      setIsAsking(false)
      if (goesOnWithout) store(key, NO_DRAFT)
      else setDraft(waiting)
    }
  }, [key, isOpen])

  return {
    draft,
    /** While the person is asked about a draft that waited, nothing is proposed. */
    isAsking,
    change: (next: Draft) => {
      setDraft(next)
      store(key, next)
    },
    /** Everything is saved, or given up. */
    clear: () => {
      release()
      setDraft(NO_DRAFT)
      store(key, NO_DRAFT)
    },
  }
}
export type AssignmentDraft = ReturnType<typeof useAssignmentDraft>
