import { sql } from 'kysely'
import { chainOf } from '#contract/organizations/chain.ts'
import { inclusionOf } from '#contract/organizations/facilities/inclusion.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readFacilities } from '#server/organizations/index.ts'
import { readPlaces, readTerms, type Span } from '../../calculation/read-facilities.ts'
import { readFacilitySnapshots } from '../facility-snapshots.ts'

/** The inclusion of a base year's facilities as it was approved, and with the ownership and control of one day. */
export type Boundaries = {
  approved: readonly Span[]
  current: readonly Span[]
  /** Why the facilities that count differently do so. */
  reasons: ReadonlyMap<string, string>
}

/**
 * Base years are recalculated for acquisitions and divestments as if they had happened before the base year, so the
 * ownership and control of the given day apply to the whole period. Opening and closing a facility is organic change, which
 * doesn't count. GHG Protocol, Corporate Standard, chapter 5.
 */
export async function readBoundaries(db: Database, inventoryId: string, asOf: string): Promise<Boundaries> {
  const inventories = await readTerms(db, [inventoryId])
  const [inventory] = inventories
  if (inventory === undefined) return { approved: [], current: [], reasons: new Map() }
  const live = await readPlaces(db, inventories)
  const approved = withSnapshots(live.spans, await readFacilitySnapshots(db, inventoryId))
  const all = await readFacilities(
    db,
    sql<boolean>`f.organization_id = (select organization_id from carbon_inventories where id = ${inventoryId})`,
  )
  const lasting = all.map((facility) => ({ ...facility, openedOn: null, closedOn: null }))
  const excluded = new Set(
    live.spans.filter(({ reason }) => reason.startsWith('Excluded: ')).map(({ facilityId }) => facilityId),
  )
  const reasons = new Map<string, string>()
  const current = [...new Set(approved.map(({ facilityId }) => facilityId))].flatMap((facilityId): Span[] => {
    const former = approved.filter((span) => span.facilityId === facilityId)
    const chain = chainOf(lasting, facilityId)
    const { percent, reason } = inclusionOf(chain, asOf, inventory.boundary)
    // Unknown control is no reason to change a figure.
    if (excluded.has(facilityId) || chain.length === 0 || percent === null) return former
    if (former.some((span) => span.percent !== percent)) reasons.set(facilityId, reason)
    const { periodStart: first, periodEnd: last } = inventory
    return [{ inventoryId, facilityId, first, last, percent, reason }]
  })
  return { approved, current, reasons }
}

function withSnapshots(
  live: readonly Span[],
  snapshots: Awaited<ReturnType<typeof readFacilitySnapshots>>,
): Span[] {
  const byId = new Map(snapshots.map((one) => [one.id, one.spans]))
  const isExcluded = ({ reason }: Span) => reason.startsWith('Excluded: ')
  const [kept, replaced] = [
    live.filter((span) => isExcluded(span) || !byId.has(span.facilityId)),
    live.filter((span) => !isExcluded(span) && byId.has(span.facilityId)),
  ]
  const firsts = new Map(replaced.map((span) => [span.facilityId, span]))
  return [
    ...kept,
    ...[...firsts.values()].flatMap(({ inventoryId, facilityId }) =>
      (byId.get(facilityId) ?? []).map(({ from, to, percent, reason }) => ({
        inventoryId,
        facilityId,
        first: from,
        last: to,
        percent,
        reason,
      })),
    ),
  ]
}
