import type { KeyboardEvent } from 'react'
import { focusHeading } from '#web/follow-navigation.ts'

/**
 * Closes what stands over the page on Escape. Mantine listens on the window instead and would close it under an open
 * question, too.
 */
export function closeOnOwnEscape(onClose: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    const isInList =
      event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true'
    // React hands on what happens in a dialog that stands inside; that one closes alone.
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key === 'Escape' && isOwn && !isInList) onClose()
  }
}

/**
 * Gives the focus back when it goes: to what opened it, or to the heading where that is gone as well. For an effect
 * without dependencies.
 */
export function keepFocus(): () => void {
  const opener = document.activeElement
  return () => {
    if (document.activeElement !== document.body) return
    if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus()
    else focusHeading()
  }
}
