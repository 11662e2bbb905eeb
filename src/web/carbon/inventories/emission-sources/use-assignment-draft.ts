import { useEffect, useRef, useState } from 'react'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { type Draft, NO_DRAFT, readDraft } from './assignment-draft.ts'

/** One draft per user and inventory. It survives a crash and leaving the page, and ends with the session. */
const keyOfDraft = (userId: string, inventoryId: string) => `carbonAssignments.${userId}.${inventoryId}`

function store(key: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(draft))
}

/**
 * Unsaved assignment changes. Leaving the page asks whether to continue without saving (specification, section 2), and "Confirm"
 * discards them. If a crash, a reload or the end of the session came first, returning asks instead: "Cancel" restores them.
 * @param isOpen false if the inventory is read-only: then a stored draft is left alone.
 */
export function useAssignmentDraft(userId: string, inventoryId: string, isOpen: boolean) {
  const [draft, setDraft] = useState(NO_DRAFT)
  const [isAsking, setIsAsking] = useState(false)
  const isAsked = useRef(false)
  const key = keyOfDraft(userId, inventoryId)
  const { release } = useUnsavedGuard(Object.keys(draft).length > 0, () => store(key, NO_DRAFT))

  useEffect(() => {
    if (isAsked.current || !isOpen) return
    isAsked.current = true
    const stored = readDraft(localStorage.getItem(key) ?? '')
    if (Object.keys(stored).length > 0) void askAboutStored()
    async function askAboutStored() {
      setIsAsking(true)
      const discards = await ask({
        title: 'There are unsaved changes.',
        text: 'Are you sure you want to continue without saving?',
        confirm: 'Confirm',
      })
      setIsAsking(false)
      if (discards) store(key, NO_DRAFT)
      else setDraft(stored)
    }
  }, [key, isOpen])

  return {
    draft,
    /** While the user is asked about a stored draft, nothing is suggested. */
    isAsking,
    change: (next: Draft) => {
      setDraft(next)
      store(key, next)
    },
    /** Call after the draft was saved or discarded. */
    clear: () => {
      release()
      setDraft(NO_DRAFT)
      store(key, NO_DRAFT)
    },
  }
}
export type AssignmentDraft = ReturnType<typeof useAssignmentDraft>
