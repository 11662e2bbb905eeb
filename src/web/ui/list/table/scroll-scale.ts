/**
 * Browsers can't lay out a box of 44,000,000 px, which a million rows would need. Above a safe height, the box is
 * shorter than the rows: its first and last stretch are exact, and everything between is compressed. Small steps
 * scroll pixel by pixel everywhere; a jump follows the scroll bar.
 */
export type Scale = Readonly<{
  /** Scrollable height of the element. */
  real: number
  /** Scrollable height of its rows. */
  wanted: number
}>

/** Well below the limits of Firefox (17.8 million) and Chromium (33.5 million). */
export const SAFE_HEIGHT = 8_000_000
/** The uncompressed stretch at each end. */
const EXACT = 1_000_000

/** The height of the box for the rows. */
export function boxHeight(rows: number): number {
  return Math.min(rows, SAFE_HEIGHT)
}

/** The position in the rows when the element is scrolled to `top`. */
export function toRows({ real, wanted }: Scale, top: number): number {
  const beyond = wanted - real
  if (beyond <= 0 || top <= EXACT) return top
  if (top >= real - EXACT) return top + beyond
  const squeezed = real - 2 * EXACT
  return EXACT + (top - EXACT) * ((squeezed + beyond) / squeezed)
}

/** The scroll position that corresponds to an offset in the rows. */
export function toTop({ real, wanted }: Scale, offset: number): number {
  const beyond = wanted - real
  if (beyond <= 0 || offset <= EXACT) return offset
  if (offset >= wanted - EXACT) return offset - beyond
  const squeezed = real - 2 * EXACT
  return EXACT + (offset - EXACT) * (squeezed / (squeezed + beyond))
}

export type Position = Readonly<{
  /** `scrollTop` of the element. */
  top: number
  /** The corresponding offset in the rows. */
  offset: number
}>

/** The position after scrolling to `top`: a step moves the rows by the same distance, a jump uses the scale. */
export function follow(scale: Scale, before: Position, top: number, page: number): Position {
  const step = top - before.top
  if (scale.wanted <= scale.real) return { top, offset: top }
  if (Math.abs(step) > 2 * page) return { top, offset: toRows(scale, top) }
  return { top, offset: Math.min(scale.wanted, Math.max(0, before.offset + step)) }
}

/** Whether the element is at its end while there are more rows. */
export function isStuck(scale: Scale, { top, offset }: Position): boolean {
  return (top <= 0 && offset > 0) || (top >= scale.real && offset < scale.wanted)
}
