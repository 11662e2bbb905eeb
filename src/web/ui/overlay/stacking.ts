import type { KeyboardEvent } from 'react'
import { focusHeading } from '#web/follow-navigation.ts'

/**
 * Closes an overlay on Escape. Mantine listens on the window instead, which would also close it under an open
 * dialog.
 */
export function closeOnOwnEscape(onClose: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    const isInList =
      event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true'
    // React also bubbles events from nested dialogs; those close on their own.
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key === 'Escape' && isOwn && !isInList) onClose()
  }
}

/**
 * Returns the focus on unmount: to the opener, or to the page heading if the opener is gone. For an effect without
 * dependencies.
 */
export function restoreFocusOnUnmount(): () => void {
  const opener = document.activeElement
  return () => {
    if (document.activeElement !== document.body) return
    if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus()
    else focusHeading()
  }
}
