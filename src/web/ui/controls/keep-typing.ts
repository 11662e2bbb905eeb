import type { MouseEvent } from 'react'

/**
 * A click on a button that saves leaves the focus in the text field: the button can't be used while its call runs, and what is
 * typed meanwhile would be lost with the focus. A field that takes its text only when it is left (`data-commits`) is left.
 */
export function keepTyping(event: MouseEvent): void {
  const focused = document.activeElement
  const isTyping = focused?.matches('input, textarea, [contenteditable="true"]') === true
  if (isTyping && focused.closest('[data-commits]') === null) event.preventDefault()
}
