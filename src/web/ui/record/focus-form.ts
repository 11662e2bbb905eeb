import { type MouseEvent, useEffect } from 'react'

const FIELDS = '[data-path], input, textarea, select, [contenteditable="true"]'
/** What a form is in. It stays when the form is replaced by that of the saved record. */
const FRAMES = '[role="dialog"], main, body'

/** The fields in an element, in the order of the page. */
export const fieldsIn = (root: Element | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>(FIELDS) ?? []),
]

const ATTEMPTS = 20
const ATTEMPT_MS = 50

/** What a field shows. */
const shownBy = (field: HTMLElement): string => {
  if (field instanceof HTMLInputElement) return `${field.value} ${field.checked}`
  const hasValue = field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
  return hasValue ? field.value : (field.textContent ?? '')
}

/** Whether the focus is on no element of its own, but on the page or on what is around the fields. */
function isFocusFree(fields: readonly HTMLElement[]): boolean {
  const { activeElement } = document
  return (
    activeElement === null || fields.some((field) => field !== activeElement && activeElement.contains(field))
  )
}

/** Focuses the first of the fields that takes it, unless the focus is somewhere. */
function focusFirst(fields: readonly HTMLElement[]): void {
  for (const field of fields) {
    if (!isFocusFree(fields)) return
    if (field.checkVisibility()) field.focus()
  }
}

/**
 * After the button that was clicked is gone: focuses the first field of its form that shows something else than before, or the
 * first one of the form.
 */
export function focusChanged({ currentTarget }: MouseEvent<HTMLElement>): void {
  const root = currentTarget.closest(`form, ${FRAMES}`)
  const before = new Map(fieldsIn(root).map((field) => [field, shownBy(field)]))
  // A menu or an editor may show it a moment later.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const now = fieldsIn(root)
      const changed = now.filter((field) => before.get(field) !== shownBy(field))
      // On a page without a form, such as a grid, the first field is no part of it.
      focusFirst(root instanceof HTMLFormElement ? [...changed, ...now] : changed)
    }),
  )
}

/**
 * For a dialog over a form: when it is closed, the focus is in the field of one of these names again, or in the first one. The form
 * may be another one by then.
 */
export function useFocusBack(formId: string, names: readonly string[]): void {
  useEffect(() => {
    const frame = document.getElementById(formId)?.closest(FRAMES) ?? null
    let left = ATTEMPTS
    function attempt() {
      const fields = fieldsIn(document.getElementById(formId) ?? frame)
      focusFirst([...fields.filter(({ dataset }) => names.includes(dataset['path'] ?? '')), ...fields])
      left -= 1
      // The saved record may have to be read again.
      if (left > 0 && (fields.length === 0 || isFocusFree(fields))) setTimeout(attempt, ATTEMPT_MS)
    }
    return () => void setTimeout(attempt)
    // As they are when it opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
}
