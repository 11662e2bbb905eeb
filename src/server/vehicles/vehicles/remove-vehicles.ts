import { sql } from 'kysely'
import { z } from 'zod'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Handlers } from '#server/http/serve.ts'
import { keepDependents } from '#server/lists/dependents.ts'
import { rowsKind } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { restoreVehicleRows, VehicleRow } from './restore-vehicle.ts'
import { vehicleSource } from './vehicles.ts'

/** Bulk deletion of vehicles, queued as a job that can be undone. */
export function removeVehiclesHandlers(jobs: StartJobs): Pick<Handlers<typeof vehicles>, 'removeMany'> {
  return {
    removeMany: ({ db, actor, input: { selection } }) =>
      jobs.startRows(db, actor, {
        kind: removeVehiclesJob.name,
        payload: {},
        source: vehicleSource,
        selection,
        title: (rows) => `Delete ${rows}`,
      }),
  }
}

export const removeVehiclesJob = rowsKind({
  name: 'vehicles.removeMany',
  deletes: 'vehicles',
  needs: vehicles.removeMany.allow,
  payload: z.object({}),
  // A deleted vehicle must stay in the audit log, even after the undo period.
  leavesEntries: true,
  async change({ db, actor: { customerId } }, ids) {
    const theirs = sql`customer_id = ${customerId} and id = any(${[...ids]}::bigint[])`
    // Locks first: what is being added to one of them waits.
    const { rows } = await sql<{ id: string; before: object }>`
      select id::text, to_jsonb(v) - 'customer_id' as before from vehicles v where ${theirs} order by id for update`.execute(
      db,
    )
    await keepDependents(
      db,
      { table: 'vehicles', customerId },
      rows.map(({ id }) => id),
    )
    await sql`delete from vehicles where ${theirs}`.execute(db)
    return rows
  },
  undo: {
    needs: vehicles.restore.allow,
    before: VehicleRow,
    async rows({ db, actor }, rows) {
      const { there, lost } = await restoreVehicleRows(
        db,
        actor,
        rows.map(({ before }) => before),
      )
      return rows.map(({ id, before }) => {
        const why = there.has(id) ? lost.get(id) : NOT_RESTORED
        return why === undefined ? { id, before: null } : { id, title: titleOf(before), reason: why }
      })
    },
  },
})

const NOT_RESTORED = 'Its lot no longer exists, or another vehicle there has the same VIN or stock number.'

const titleOf = ({ year, make, model, id }: z.infer<typeof VehicleRow>): string =>
  [year, make, model]
    .flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? [String(part)] : []))
    .join(' ') || `No. ${String(id)}`
