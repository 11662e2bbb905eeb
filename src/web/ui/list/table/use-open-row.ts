import { type RefObject, useEffect } from 'react'

/** What moves the rows from then on is the user. */
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Keeps the row in view that is open next to the list, as after a link from elsewhere opened it: while rows grow because more of
 * them is loaded, until the user scrolls.
 */
export function useOpenRow(
  frame: RefObject<HTMLElement | null>,
  openId: string | undefined,
  isLoaded: boolean,
): void {
  useEffect(() => {
    const element = frame.current
    const rows = element?.firstElementChild
    if (openId === undefined || !isLoaded || !element || !rows) return undefined
    const observer = new ResizeObserver(() => {
      element.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
    })
    const stop = () => {
      observer.disconnect()
      for (const name of USER_EVENTS) element.removeEventListener(name, stop)
    }
    observer.observe(rows)
    for (const name of USER_EVENTS) element.addEventListener(name, stop, { passive: true })
    return stop
  }, [frame, openId, isLoaded])
}
