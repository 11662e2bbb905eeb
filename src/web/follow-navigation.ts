import type { AnyRouter } from '@tanstack/react-router'
import { setPageTitle } from '#web/ui/layout/title.ts'

/** The element in which the shell scrolls; if the menu or the top bar scroll along, its container does. */
export const MAIN_ID = 'main'

/**
 * Specification section 2 and keyboard accessibility: after each navigation, sets the page title, scrolls to the
 * top and focuses the heading. A change of search parameters isn't a navigation.
 */
export function followNavigation(router: AnyRouter): void {
  let isFirst = true
  router.subscribe('onResolved', ({ pathChanged }) => {
    setPageTitle(router.state.matches.findLast((match) => match.staticData.title)?.staticData.title ?? '')
    if (!pathChanged && !isFirst) return
    // The first page keeps the browser's focus (an autofocused field, a restored position).
    if (!isFirst) startPage()
    isFirst = false
  })
}

function startPage(): void {
  const main = document.getElementById(MAIN_ID)
  main?.scrollTo(0, 0)
  main?.parentElement?.scrollTo(0, 0)
  const isTyping = document.activeElement?.matches('input, textarea, select')
  if (!isTyping) focusHeading()
}

/**
 * Focuses the page heading when there is no better target: on the body, keyboard users would lose their position.
 */
export function focusHeading(): void {
  const heading = document.querySelector('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
