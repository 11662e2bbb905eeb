import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import {
  Vehicle,
  type VehicleRecord,
  type CellsOutcome,
  type vehicles,
} from '#contract/vehicles/vehicles/vehicles.ts'
import type { PriceChange } from '#contract/vehicles/vehicles/price-changes.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure, noneFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { writeVehicle } from '../edit-vehicle.ts'
import { requirePriceConfirmation } from '../price-limits.ts'
import type { VehiclePrices } from '../vehicle-prices.ts'
import { readVehicles } from '../vehicles.ts'

type Row = Received<typeof vehicles.updateCells>['rows'][number]

/** Saves changed grid cells. Rows are saved independently: an error in one does not affect the others. */
export const makeVehicleCells = (prices: VehiclePrices): Pick<Handlers<typeof vehicles>, 'updateCells'> => ({
  async updateCells({ db, actor, input: { rows, confirmPrices } }) {
    if (!confirmPrices)
      await requirePriceConfirmation(db, actor.customerId, await priceChanges(db, actor, rows))
    const before = await lockVehicles(db, actor, rows)
    const ids = rows.map(({ id }) => id)
    const sellingBefore = confirmPrices ? null : await prices.readSellingPrices(db, actor, ids)
    const outcomes = new Map<string, CellsOutcome>()
    for (const row of rows) outcomes.set(row.id, await saveRow(db, actor, row, before.get(row.id)))
    if ([...outcomes.values()].every(({ outcome }) => outcome === 'gone')) throw noneFound('vehicles')
    const saved = [...outcomes].flatMap(([id, { outcome }]) => (outcome === 'saved' ? [id] : []))
    if (sellingBefore !== null) await prices.requireUsualSellingPrices(db, actor, sellingBefore)
    await prices.storePricesNow(db, actor, saved)
    for (const [id, record] of await readVehicles(db, actor, saved)) {
      outcomes.set(id, { outcome: 'saved', id, vehicle: Vehicle.parse(record) })
    }
    return rows.flatMap(({ id }) => outcomes.get(id) ?? [])
  },
})

/** Locks the vehicles, always in the same order, to avoid deadlocks between users who save the same rows. */
async function lockVehicles(
  db: Database,
  actor: Member,
  rows: readonly Row[],
): Promise<Map<string, VehicleRecord>> {
  const ids = rows.map(({ id }) => id)
  await sql`select from vehicles where customer_id = ${actor.customerId} and id = any(${ids}::bigint[])
    order by id for update`.execute(db)
  return readVehicles(db, actor, ids)
}

/** The new prices of the rows that set one, with the vehicles' current prices. */
async function priceChanges(
  db: Database,
  { customerId }: Member,
  rows: readonly Row[],
): Promise<PriceChange[]> {
  const prices = new Map(
    rows.flatMap(({ id, priceCents }) => (priceCents === undefined ? [] : [[id, priceCents]])),
  )
  if (prices.size === 0) return []
  const found = await db
    .selectFrom('vehicles as v')
    .select(['v.id', 'v.priceCents'])
    .select(
      sql<string>`coalesce(nullif(concat_ws(' ', v.year, v.make, v.model), ''), 'Vehicle') || coalesce(' (' || v.stock || ')', '')`.as(
        'title',
      ),
    )
    .where('v.customerId', '=', customerId)
    .where('v.id', 'in', [...prices.keys()])
    .execute()
  return found.map(({ id, title, priceCents }) => ({
    title,
    beforeCents: priceCents === null ? null : Number(priceCents),
    afterCents: prices.get(id) ?? null,
  }))
}

/** The vehicle is filled in when all rows are saved. */
async function saveRow(
  db: Database,
  actor: Member,
  { id, version, ...cells }: Row,
  before: VehicleRecord | undefined,
): Promise<CellsOutcome> {
  if (before === undefined) return { outcome: 'gone', id }
  if (version !== undefined && version !== before.version) {
    return { outcome: 'stale', id, vehicle: Vehicle.parse(before), by: before.updatedBy }
  }
  await sql`savepoint before_row`.execute(db)
  try {
    await writeVehicle(db, actor, before, { ...cells, locks: {}, locksEdits: true })
    await sql`release savepoint before_row`.execute(db)
    return { outcome: 'saved', id, vehicle: Vehicle.parse(before) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await sql`rollback to savepoint before_row`.execute(db)
    return outcomeOf(id, error)
  }
}

/** Converts an expected failure to the row's outcome. @throws failures that don't concern a single row. */
function outcomeOf(id: string, failure: Failure): CellsOutcome {
  if (failure.status === 404) return { outcome: 'gone', id }
  if (failure.status === 400 || failure.status === 409) {
    return { outcome: 'refused', id, fields: failure.fields ?? {} }
  }
  throw failure
}
