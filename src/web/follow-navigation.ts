import type { AnyRouter } from '@tanstack/react-router'
import { setPageTitle } from '#web/ui/layout/title.ts'

/** Where the shell scrolls; where the menu or the top bar scroll along, what is around it does. */
export const MAIN_ID = 'main'

/**
 * Specification section 2 and our own rule for the keyboard: after each navigation the title is the page's, the
 * page stands at its top and the focus on its heading. A change of search parameters is no navigation.
 */
export function followNavigation(router: AnyRouter): void {
  let isFirst = true
  router.subscribe('onResolved', ({ pathChanged }) => {
    setPageTitle(router.state.matches.findLast((match) => match.staticData.title)?.staticData.title ?? '')
    if (!pathChanged && !isFirst) return
    // The very first page keeps the focus where the browser put it (an autofocused field, a restored place).
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

/** Where the focus goes when it has no better place: the body would be the end of a journey by keyboard. */
export function focusHeading(): void {
  const heading = document.querySelector('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
