import type { KeyboardEvent } from 'react'

/** Grid cells have a `data-spot` attribute with row and column, "8 3". Column 0 is the preset. */
const SPOT = '[data-spot]'

export type Spot = `${number} ${number}`

const PAGE = 8

/**
 * The spot to which a key moves the focus, as in a spreadsheet. Blanks are skipped, as are rows without the
 * column. Null for keys that aren't handled.
 */
export function followKey(spots: readonly Spot[], from: Spot, key: string): Spot | null {
  const [row = '', column = ''] = from.split(' ')
  const inRow = spots.filter((spot) => spot.startsWith(`${row} `))
  const inColumn = spots.filter((spot) => spot.endsWith(` ${column}`))
  const step = (line: readonly Spot[], by: number) =>
    line[Math.max(0, Math.min(line.length - 1, line.indexOf(from) + by))] ?? null
  const moves: Record<string, () => Spot | null> = {
    forward: () => step(inRow, 1),
    back: () => step(inRow, -1),
    ArrowDown: () => step(inColumn, 1),
    ArrowUp: () => step(inColumn, -1),
    PageDown: () => step(inColumn, PAGE),
    PageUp: () => step(inColumn, -PAGE),
    Home: () => inRow[0] ?? null,
    End: () => inRow.at(-1) ?? null,
    'Control+Home': () => spots[0] ?? null,
    'Control+End': () => spots.at(-1) ?? null,
  }
  return moves[key]?.() ?? null
}

/** `onKeyDown` handler that moves the focus through a grid, whose other spots aren't in the tab order. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event
  // React bubbles keys from an open menu up to here, but the menu isn't inside the grid.
  const here = target instanceof Element && currentTarget.contains(target) ? target.closest(SPOT) : null
  if (here === null || event.altKey || event.metaKey) return
  const elements = [...currentTarget.querySelectorAll<HTMLElement>(SPOT)]
  const spots = elements.map(spotOf)
  const next = followKey(spots, spotOf(here), nameKey(event))
  if (next === null) return
  event.preventDefault()
  elements[spots.indexOf(next)]?.focus()
}

export function spotOf(element: Element): Spot {
  const [row, column] = (element.getAttribute('data-spot') ?? '').split(' ').map(Number)
  return `${row ?? 0} ${column ?? 0}`
}

/** The key name for `followKey`. In right-to-left layouts, "forward" is the left arrow. */
function nameKey({ key, ctrlKey, currentTarget }: KeyboardEvent<HTMLElement>): string {
  if (ctrlKey) return `Control+${key}`
  const forward = getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  if (key === 'ArrowLeft' || key === 'ArrowRight') return key === forward ? 'forward' : 'back'
  return key
}
