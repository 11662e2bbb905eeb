import type { LeftOut } from '#contract/carbon/results/group.ts'
import {
  isFrozen,
  type InventoryStatus,
  STATUS_NAMES,
} from '#contract/carbon/inventories/inventory-schema.ts'
import type { GwpSet } from '#contract/carbon/factors/resolve.ts'
import { CONSOLIDATIONS, type Consolidation } from '#contract/organizations/facilities/inclusion.ts'

/** What is known of an inventory before it is summed. */
export type LockedInventory = Readonly<{
  id: string
  organizationId: string
  name: string
  periodStart: string
  periodEnd: string
  boundary: Consolidation
  status: InventoryStatus
  gwpSet: GwpSet
  restatesId: string | null
}>
type Reason = Pick<LeftOut, 'inventoryId' | 'name' | 'why' | 'sentence'>

/** An inventory belongs to the year in which it ends. */
export const yearOf = ({ periodEnd }: Pick<LockedInventory, 'periodEnd'>): number =>
  Number(periodEnd.slice(0, 4))

/** Its figures are settled, and nothing corrects them. */
const stands = ({ status }: LockedInventory): boolean => isFrozen(status) && status !== 'restated'

/** The latest year with something to sum, else the latest; null where there is no inventory. */
export function latestYear(all: readonly LockedInventory[]): number | null {
  const settled = all.filter(stands)
  const years = (settled.length > 0 ? settled : all).map(yearOf)
  return years.length === 0 ? null : Math.max(...years)
}

/** The boundary that most settled inventories of a year are drawn by. */
export function usualBoundary(all: readonly LockedInventory[], year: number | null): Consolidation {
  const countOf = (boundary: Consolidation): number =>
    all.filter((one) => one.boundary === boundary && yearOf(one) === year && stands(one)).length
  return CONSOLIDATIONS.toSorted((one, other) => countOf(other) - countOf(one))[0] ?? 'operational'
}

const BOUNDARY_WORDS: Readonly<Record<Consolidation, string>> = {
  operational: 'operational control',
  financial: 'financial control',
  equity: 'equity share',
}

/**
 * Which inventories of one organization are summed, and why the others are not. Those of one boundary never share a day
 * but with what they restate, so that nothing is summed twice.
 */
export function chooseInventories(
  own: readonly LockedInventory[],
  { year, boundary }: { year: number; boundary: Consolidation },
): { summed: LockedInventory[]; left: Reason[] } {
  const ofYear = own.filter((one) => yearOf(one) === year)
  if (ofYear.length === 0)
    return {
      summed: [],
      left: [
        { inventoryId: null, name: null, why: 'missing', sentence: `No inventory of it ends in ${year}.` },
      ],
    }
  const left = ofYear.flatMap((one): Reason[] => {
    const named = { inventoryId: one.id, name: one.name }
    if (one.status === 'restated')
      return [{ ...named, why: 'restated', sentence: describeRestatement(newestOf(one, own)) }]
    if (one.boundary !== boundary)
      return [
        {
          ...named,
          why: 'boundary',
          sentence: `It is drawn by ${BOUNDARY_WORDS[one.boundary]}, and the sum by ${BOUNDARY_WORDS[boundary]}.`,
        },
      ]
    if (stands(one)) return []
    const sentence = `It is not approved yet: ${STATUS_NAMES[one.status].toLowerCase()}.`
    return [{ ...named, why: 'open', sentence }]
  })
  return { summed: ofYear.filter((one) => one.boundary === boundary && stands(one)), left }
}

/** What stands at the end of the line of those that correct it. */
function newestOf(inventory: LockedInventory, own: readonly LockedInventory[]): LockedInventory | null {
  const next = own.find(({ restatesId }) => restatesId === inventory.id)
  if (next === undefined) return null
  return next.status === 'restated' ? newestOf(next, own) : next
}

function describeRestatement(newest: LockedInventory | null): string {
  if (newest === null) return 'It was restated.'
  return stands(newest)
    ? `It was restated: ${newest.name} counts in its place.`
    : `It was restated: ${newest.name} counts in its place once it is approved.`
}
