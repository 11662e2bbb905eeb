/** Specification section 9: the horizontal menu scrolls by the width of its wrapper minus this. */
const OVERLAP = 80

/**
 * How far an arrow of the horizontal menu scrolls to the right, in px. Negative when moving forward in
 * right-to-left.
 */
export function scrollStep(wrapperWidth: number, towards: 'start' | 'end', direction: 'ltr' | 'rtl'): number {
  const distance = Math.max(0, wrapperWidth - OVERLAP)
  return (towards === 'end') === (direction === 'ltr') ? distance : -distance
}

type Extent = { scrollLeft: number; clientWidth: number; scrollWidth: number }

/**
 * Whether there is hidden content at either end. `scrollLeft` counts from the start and is negative in
 * right-to-left.
 */
export function hiddenEnds({ scrollLeft, clientWidth, scrollWidth }: Extent): {
  start: boolean
  end: boolean
} {
  const from = Math.abs(scrollLeft)
  // Browsers round: ignore a difference of one pixel.
  return { start: from > 1, end: scrollWidth - clientWidth - from > 1 }
}
