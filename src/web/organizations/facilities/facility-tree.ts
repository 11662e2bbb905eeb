import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import {
  type Consolidation,
  inclusionOf,
  type Inclusion,
} from '#contract/organizations/facilities/inclusion.ts'

/** A facility in the tree, with its inclusion on the selected date. */
export type TreeRow = Readonly<{
  facility: Facility
  /** 1 for the top level. */
  depth: number
  hasChildren: boolean
  inclusion: Inclusion
}>

/** The facilities as tree rows, children after their parent, without the children of collapsed rows. */
export function rowsOf(
  facilities: readonly Facility[],
  closed: ReadonlySet<string>,
  { day, approach }: { day: string; approach: Consolidation },
): TreeRow[] {
  const known = new Set(facilities.map(({ id }) => id))
  const below = new Map<string | null, Facility[]>()
  for (const facility of facilities) {
    const { parentId } = facility
    const place = parentId !== null && known.has(parentId) ? parentId : null
    below.set(place, [...(below.get(place) ?? []), facility])
  }
  const walk = (place: string | null, above: readonly Facility[]): TreeRow[] =>
    (below.get(place) ?? []).flatMap((facility) => {
      const chain = [...above, facility]
      const row = {
        facility,
        depth: chain.length,
        hasChildren: below.has(facility.id),
        inclusion: inclusionOf(chain, day, approach),
      }
      return closed.has(facility.id) ? [row] : [row, ...walk(facility.id, chain)]
    })
  return walk(null, [])
}

/** The effect of a key: the row to focus, expand or collapse. */
export type TreeMove = Readonly<{ focus?: string; open?: string; close?: string }>

/**
 * The keys of a tree (WAI-ARIA treegrid): up and down move between rows; `towardsEnd` expands a row or moves to its first
 * child, `towardsStart` collapses it or moves to its parent. `towardsEnd` is the right arrow, or the left one in RTL pages.
 */
export function moveIn(
  rows: readonly TreeRow[],
  closed: ReadonlySet<string>,
  id: string,
  key: 'up' | 'down' | 'first' | 'last' | 'towardsEnd' | 'towardsStart',
): TreeMove {
  const at = rows.findIndex(({ facility }) => facility.id === id)
  const row = rows[at]
  if (row === undefined) return {}
  const to = (index: number): TreeMove => {
    const there = rows[index]
    return there === undefined ? {} : { focus: there.facility.id }
  }
  const isOpen = row.hasChildren && !closed.has(id)
  switch (key) {
    case 'up':
      return to(at - 1)
    case 'down':
      return to(at + 1)
    case 'first':
      return to(0)
    case 'last':
      return to(rows.length - 1)
    case 'towardsEnd':
      if (row.hasChildren && !isOpen) return { open: id }
      return isOpen ? to(at + 1) : {}
    default:
      if (isOpen) return { close: id }
      return to(rows.findLastIndex(({ depth }, index) => index < at && depth < row.depth))
  }
}

/** Whether a facility isn't open yet, in use, or closed on a date. */
export function statusOn({ openedOn, closedOn }: Facility, day: string): 'coming' | 'open' | 'closed' {
  if (openedOn !== null && day < openedOn) return 'coming'
  return closedOn !== null && day > closedOn ? 'closed' : 'open'
}
