import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import {
  Vehicle,
  VehicleRecord,
  type CellsOutcome,
  type vehicles,
} from '#contract/inventory/vehicles/vehicles.ts'
import type { PriceChange } from '#contract/inventory/vehicles/price-changes.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure, noneFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { lockVehicle, writeVehicle } from './edit-vehicle.ts'
import { requirePriceConfirmation } from './price-limits.ts'
import { storePricesNow } from '../pricing/stored/store-prices.ts'
import { readVehicle } from './vehicles.ts'

type Row = Received<typeof vehicles.updateCells>['rows'][number]

/** Saves changed grid cells. Rows are saved independently: an error in one does not affect the others. */
export const vehicleCells: Pick<Handlers<typeof vehicles>, 'updateCells'> = {
  async updateCells({ db, actor, input: { rows, confirmPrices } }) {
    if (!confirmPrices)
      await requirePriceConfirmation(db, actor.customerId, await priceChanges(db, actor, rows))
    const outcomes = new Map<string, CellsOutcome>()
    // Always in the same order, to avoid deadlocks between users who save the same rows.
    for (const row of rows.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))) {
      outcomes.set(row.id, await saveRow(db, actor, row))
    }
    if ([...outcomes.values()].every(({ outcome }) => outcome === 'gone')) throw noneFound('vehicles')
    const saved = [...outcomes].flatMap(([id, { outcome }]) => (outcome === 'saved' ? [id] : []))
    await storePricesNow(db, actor, saved)
    for (const id of saved) outcomes.set(id, { outcome: 'saved', id, vehicle: await readRow(db, actor, id) })
    return rows.flatMap(({ id }) => outcomes.get(id) ?? [])
  },
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

async function saveRow(db: Database, actor: Member, { id, version, ...cells }: Row): Promise<CellsOutcome> {
  await sql`savepoint before_row`.execute(db)
  try {
    const before = await lockVehicle(db, actor, { id, version })
    await writeVehicle(db, actor, before, { ...cells, locks: {}, locksEdits: true })
    const vehicle = await readRow(db, actor, id)
    await sql`release savepoint before_row`.execute(db)
    return { outcome: 'saved', id, vehicle }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await sql`rollback to savepoint before_row`.execute(db)
    return outcomeOf(id, error)
  }
}

async function readRow(db: Database, actor: Member, id: string): Promise<Vehicle> {
  return Vehicle.parse(JSON.parse((await readVehicle(db, actor, id)).text))
}

/** Converts an expected failure to the row's outcome. @throws failures that don't concern a single row. */
function outcomeOf(id: string, failure: Failure): CellsOutcome {
  if (failure.status === 404) return { outcome: 'gone', id }
  const current = VehicleRecord.safeParse(failure.current)
  if (current.success) {
    return { outcome: 'stale', id, vehicle: Vehicle.parse(current.data), by: current.data.updatedBy }
  }
  if (failure.status === 400 || failure.status === 409) {
    return { outcome: 'refused', id, fields: failure.fields ?? {} }
  }
  throw failure
}
