import { useEffect, useState } from 'react'
import { fieldsOf, type List } from '#contract/lists/list.ts'
import { isCounted } from '#contract/lists/facets.ts'
import { useHolds } from '#web/session/use-session.ts'

const OPEN = 'open'

/**
 * Whether the facets of a list are open. Next to the rows, the browser remembers it; a drawer always starts closed.
 */
export function useFacets(list: List, isNarrow: boolean) {
  const holds = useHolds()
  const key = `list.${list.key}.facets`
  const [isSideBySide, setIsSideBySide] = useState(() => localStorage.getItem(key) === OPEN)
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    if (isSideBySide) localStorage.setItem(key, OPEN)
    else localStorage.removeItem(key)
  }, [key, isSideBySide])
  const isThere = fieldsOf(list, (permission) => holds(permission) === true).some(([, field]) =>
    isCounted(field),
  )
  const isOpen = isThere && (isNarrow ? isOver : isSideBySide)
  const set = isNarrow ? setIsOver : setIsSideBySide
  return { isThere, isOpen, toggle: () => set(!isOpen), close: () => set(false) }
}
