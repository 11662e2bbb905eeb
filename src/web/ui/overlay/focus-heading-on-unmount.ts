import { focusHeading } from '#web/follow-navigation.ts'

/**
 * Moves the focus to the page heading if the element is removed while it has the focus. For an effect: returns the
 * cleanup.
 */
export function focusHeadingOnUnmount(element: HTMLElement | null): () => void {
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
