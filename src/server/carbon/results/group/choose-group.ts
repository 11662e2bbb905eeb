import type { LeftOut } from '#contract/carbon/results/group.ts'
import {
  isFrozen,
  type InventoryStatus,
  STATUS_NAMES,
} from '#contract/carbon/inventories/inventory-schema.ts'
import type { GwpSet } from '#contract/carbon/factors/resolve.ts'
import { CONSOLIDATIONS, type Consolidation } from '#contract/organizations/facilities/inclusion.ts'

/** An inventory with what decides whether it is part of the sum. */
export type GroupCandidate = Readonly<{
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
export const yearOf = ({ periodEnd }: Pick<GroupCandidate, 'periodEnd'>): number =>
  Number(periodEnd.slice(0, 4))

/** Its results are final, and it wasn't restated. */
const isFinal = ({ status }: GroupCandidate): boolean => isFrozen(status) && status !== 'restated'

/** The latest year with a final inventory, or else the latest year; null if there are no inventories. */
export function latestYear(all: readonly GroupCandidate[]): number | null {
  const final = all.filter(isFinal)
  const years = (final.length > 0 ? final : all).map(yearOf)
  return years.length === 0 ? null : Math.max(...years)
}

/** The boundary that most final inventories of a year use. */
export function usualBoundary(all: readonly GroupCandidate[], year: number | null): Consolidation {
  const countOf = (boundary: Consolidation): number =>
    all.filter((one) => one.boundary === boundary && yearOf(one) === year && isFinal(one)).length
  return CONSOLIDATIONS.toSorted((one, other) => countOf(other) - countOf(one))[0] ?? 'operational'
}

const BOUNDARY_NAMES: Readonly<Record<Consolidation, string>> = {
  operational: 'operational control',
  financial: 'financial control',
  equity: 'equity share',
}

/**
 * Which inventories of one organization are part of the sum, and why the others aren't. Inventories of one boundary never
 * overlap, except with what they restate, so nothing is counted twice.
 */
export function chooseInventories(
  own: readonly GroupCandidate[],
  { year, boundary }: { year: number; boundary: Consolidation },
): { summed: GroupCandidate[]; left: Reason[] } {
  const ofYear = own.filter((one) => yearOf(one) === year)
  if (ofYear.length === 0)
    return {
      summed: [],
      left: [{ inventoryId: null, name: null, why: 'missing', sentence: `No inventory ends in ${year}.` }],
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
          sentence: `It uses ${BOUNDARY_NAMES[one.boundary]}, but the sum uses ${BOUNDARY_NAMES[boundary]}.`,
        },
      ]
    if (isFinal(one)) return []
    const sentence = `Not approved yet (${STATUS_NAMES[one.status].toLowerCase()}).`
    return [{ ...named, why: 'open', sentence }]
  })
  return { summed: ofYear.filter((one) => one.boundary === boundary && isFinal(one)), left }
}

/** The latest restatement of an inventory. */
function newestOf(inventory: GroupCandidate, own: readonly GroupCandidate[]): GroupCandidate | null {
  const next = own.find(({ restatesId }) => restatesId === inventory.id)
  if (next === undefined) return null
  return next.status === 'restated' ? newestOf(next, own) : next
}

function describeRestatement(newest: GroupCandidate | null): string {
  if (newest === null) return 'Restated.'
  return isFinal(newest)
    ? `Restated. ${newest.name} is included instead.`
    : `Restated. ${newest.name} will be included once it is approved.`
}
