/**
 * No browser lays out a box of 44,000,000 px, which is what a million rows take. Beyond a safe height the box is
 * shorter than the rows: its first and its last stretch are the rows to the pixel, between them it is squeezed. A small
 * step scrolls pixel for pixel everywhere; a jump goes where the scroll bar says.
 */
export type Scale = Readonly<{
  /** How far the element can be scrolled. */
  real: number
  /** How far its rows could be. */
  wanted: number
}>

/** Well under what Firefox (17.8 million) and Chromium (33.5 million) lay out. */
export const SAFE_HEIGHT = 8_000_000
/** The stretch at each end that is not squeezed. */
const EXACT = 1_000_000

/** How high the box of the rows is. */
export function boxHeight(rows: number): number {
  return Math.min(rows, SAFE_HEIGHT)
}

/** Where the rows are when the element is scrolled to `top`. */
export function toRows({ real, wanted }: Scale, top: number): number {
  const beyond = wanted - real
  if (beyond <= 0 || top <= EXACT) return top
  if (top >= real - EXACT) return top + beyond
  const squeezed = real - 2 * EXACT
  return EXACT + (top - EXACT) * ((squeezed + beyond) / squeezed)
}

/** Where the element is to be scrolled so that the scroll bar tells where in the rows one is. */
export function toTop({ real, wanted }: Scale, offset: number): number {
  const beyond = wanted - real
  if (beyond <= 0 || offset <= EXACT) return offset
  if (offset >= wanted - EXACT) return offset - beyond
  const squeezed = real - 2 * EXACT
  return EXACT + (offset - EXACT) * (squeezed / (squeezed + beyond))
}

export type Position = Readonly<{
  /** As the element says: `scrollTop`. */
  top: number
  /** Where in the rows that is. */
  offset: number
}>

/** Where one is after the element scrolled to `top`: a step moves the rows as far as the element, a jump by the scale. */
export function follow(scale: Scale, before: Position, top: number, page: number): Position {
  const step = top - before.top
  if (scale.wanted <= scale.real) return { top, offset: top }
  if (Math.abs(step) > 2 * page) return { top, offset: toRows(scale, top) }
  return { top, offset: Math.min(scale.wanted, Math.max(0, before.offset + step)) }
}

/** Whether the element has come to an end of its own while there are rows beyond it. */
export function isStuck(scale: Scale, { top, offset }: Position): boolean {
  return (top <= 0 && offset > 0) || (top >= scale.real && offset < scale.wanted)
}
