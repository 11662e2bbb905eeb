/** Specification section 9: the horizontal menu scrolls by the width of its wrapper minus this. */
const KEPT_IN_VIEW = 80

/** How far an arrow of the horizontal menu scrolls, in pixels to the right. Mirrored, onward is to the left. */
export function scrollStep(wrapperWidth: number, towards: 'start' | 'end', direction: 'ltr' | 'rtl'): number {
  const distance = Math.max(0, wrapperWidth - KEPT_IN_VIEW)
  return (towards === 'end') === (direction === 'ltr') ? distance : -distance
}

type Extent = { scrollLeft: number; clientWidth: number; scrollWidth: number }

/** What is out of view at either end. `scrollLeft` counts from the start and is negative where it is mirrored. */
export function hiddenEnds({ scrollLeft, clientWidth, scrollWidth }: Extent): {
  start: boolean
  end: boolean
} {
  const from = Math.abs(scrollLeft)
  // Browsers round: a pixel is nothing to scroll to.
  return { start: from > 1, end: scrollWidth - clientWidth - from > 1 }
}
