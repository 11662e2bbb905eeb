import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import {
  Vehicle,
  VehicleRecord,
  type CellsOutcome,
  type vehicles,
} from '#contract/inventory/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure, noneThere } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { lockVehicle, writeVehicle } from './edit-vehicle.ts'
import { readVehicle } from './vehicles.ts'

type Row = Received<typeof vehicles.updateCells>['rows'][number]

/** Saves what was changed in the grid. Each row stands by itself: what keeps one back does not keep the others. */
export const vehicleCells: Pick<Handlers<typeof vehicles>, 'updateCells'> = {
  async updateCells({ db, actor, input: { rows } }) {
    const outcomes = new Map<string, CellsOutcome>()
    // Two people who save the same rows in another order would wait for each other.
    for (const row of rows.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))) {
      outcomes.set(row.id, await saveRow(db, actor, row))
    }
    if ([...outcomes.values()].every(({ outcome }) => outcome === 'gone')) throw noneThere('vehicles')
    return rows.flatMap(({ id }) => outcomes.get(id) ?? [])
  },
}

async function saveRow(db: Database, actor: Member, { id, version, ...cells }: Row): Promise<CellsOutcome> {
  await sql`savepoint before_row`.execute(db)
  try {
    const before = await lockVehicle(db, actor, { id, version })
    await writeVehicle(db, actor, before, { ...cells, locks: {}, locksEdits: true })
    const vehicle = Vehicle.parse(JSON.parse((await readVehicle(db, actor, id)).text))
    await sql`release savepoint before_row`.execute(db)
    return { outcome: 'saved', id, vehicle }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await sql`rollback to savepoint before_row`.execute(db)
    return outcomeOf(id, error)
  }
}

/** A refusal in the words of the row. @throws what is none of a single row. */
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
