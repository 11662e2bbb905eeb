import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import {
  type Consolidation,
  inclusionOf,
  type Inclusion,
} from '#contract/organizations/facilities/inclusion.ts'

/** A facility where it stands: how deep, whether others stand in it, and how much of it counts on the day shown. */
export type TreeRow = Readonly<{
  facility: Facility
  /** 1 for those that stand in the organization itself. */
  depth: number
  hasMore: boolean
  inclusion: Inclusion
}>

/** Every facility below the one it stands in, in the order they come; what stands in a closed row is left out. */
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
        hasMore: below.has(facility.id),
        inclusion: inclusionOf(chain, day, approach),
      }
      return closed.has(facility.id) ? [row] : [row, ...walk(facility.id, chain)]
    })
  return walk(null, [])
}

/** Where the focus goes, and what opens or closes, when a key is pressed in a row. */
export type TreeMove = Readonly<{ focus?: string; open?: string; close?: string }>

/**
 * The keys of a tree: up and down between rows, towards the end opens and then enters, towards the start closes and then
 * leaves. `towardsEnd` is the arrow right, and the left one where the page runs from right to left.
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
  const isOpen = row.hasMore && !closed.has(id)
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
      if (row.hasMore && !isOpen) return { open: id }
      return isOpen ? to(at + 1) : {}
    default:
      if (isOpen) return { close: id }
      return to(rows.findLastIndex(({ depth }, index) => index < at && depth < row.depth))
  }
}

/** How a facility stands on a day: not yet, in use, or no more. */
export function standingOn({ openedOn, closedOn }: Facility, day: string): 'coming' | 'open' | 'closed' {
  if (openedOn !== null && day < openedOn) return 'coming'
  return closedOn !== null && day > closedOn ? 'closed' : 'open'
}
