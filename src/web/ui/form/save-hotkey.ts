import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useRef } from 'react'

/**
 * Ctrl+S saves while the element is shown and no dialog covers it. A form in a tab that isn't shown is still in the page, and so
 * is one behind a question.
 */
export function useSaveHotkey(find: () => HTMLElement | null, save: () => void): void {
  const saveIfShown = () => {
    const element = find()
    if (element?.checkVisibility() === true && !isCovered(element)) save()
  }
  useHotkeys([['mod+S', saveIfShown]], [])
}

/** The ref of a form that Ctrl+S submits. */
export function useSubmitHotkey(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useSaveHotkey(
    () => form.current,
    () => form.current?.requestSubmit(),
  )
  return form
}

/** Dialogs are added at the end of the page when they open: the last one is on top. */
export function isCovered(element: HTMLElement): boolean {
  const dialogs = [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')]
  const top = dialogs.findLast((dialog) => dialog.checkVisibility())
  return top !== undefined && !top.contains(element)
}
