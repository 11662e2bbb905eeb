import { focusHeading } from '#web/follow-navigation.ts'

/**
 * What goes while the focus is in it hands it to the heading of the page. For an effect: returns what is done when the
 * element has gone.
 */
export function handFocusOn(element: HTMLElement | null): () => void {
  let isInside = element?.contains(document.activeElement) ?? false
  const enter = () => {
    isInside = true
  }
  const leave = () => {
    isInside = false
  }
  element?.addEventListener('focusin', enter)
  element?.addEventListener('focusout', leave)
  return () => {
    element?.removeEventListener('focusin', enter)
    element?.removeEventListener('focusout', leave)
    if (isInside && document.activeElement === document.body) focusHeading()
  }
}
