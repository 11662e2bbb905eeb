import { sql } from 'kysely'
import type { z } from 'zod'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Handlers } from '#server/http/serve.ts'
import { keepDependents } from '#server/lists/dependents.ts'
import { findChanged, readSeen, SeenRows } from '#server/lists/seen-rows.ts'
import { rowsKind } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { restoreVehicleRows, VehicleRow } from './restore-vehicle.ts'
import { vehicleSource } from './vehicles.ts'

/** Bulk deletion of vehicles, queued as a job that can be undone. */
export function removeVehiclesHandlers(jobs: StartJobs): Pick<Handlers<typeof vehicles>, 'removeMany'> {
  return {
    removeMany: async ({ db, actor, input: { selection, ...seen } }) =>
      jobs.startRows(db, actor, {
        kind: removeVehiclesJob.name,
        payload: await readSeen(db, seen),
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
  payload: SeenRows,
  // A deleted vehicle must stay in the audit log, even after the undo period.
  leavesEntries: true,
  async change({ db, actor: { customerId }, payload }, ids) {
    const theirs = sql`customer_id = ${customerId} and id = any(${[...ids]}::bigint[])`
    // Locks first: what is being added to one of them waits.
    const { rows } = await sql<{ id: string; before: z.infer<typeof VehicleRow> }>`
      select id::text, to_jsonb(v) - 'customer_id' as before from vehicles v where ${theirs} order by id for update`.execute(
      db,
    )
    const changed = findChanged(payload, rows)
    const free = rows.flatMap(({ id }) => (changed.has(id) ? [] : [id]))
    await keepDependents(db, { table: 'vehicles', customerId }, free)
    await sql`delete from vehicles where customer_id = ${customerId} and id = any(${free}::bigint[])`.execute(
      db,
    )
    return rows.map(({ id, before }) => {
      const reason = changed.get(id)
      return reason === undefined ? { id, before } : { id, title: titleOf(before), reason }
    })
  },
  undo: {
    needs: vehicles.restore.allow,
    before: VehicleRow,
    async rows({ db, actor }, rows) {
      const newer = await deletedAgain(db, actor.customerId, rows)
      const { there, lost } = await restoreVehicleRows(
        db,
        actor,
        rows.flatMap(({ id, before }) => (newer.has(id) ? [] : [before])),
      )
      return rows.map(({ id, before }) => {
        const missing = newer.has(id) ? DELETED_AGAIN : NOT_RESTORED
        const why = there.has(id) ? lost.get(id) : missing
        return why === undefined ? { id, before: null } : { id, title: titleOf(before), reason: why }
      })
    },
  },
})

const DELETED_AGAIN = 'It was restored, changed and deleted again since. Undo the later deletion.'

/** Those that are deleted in a later version than this job deleted. */
async function deletedAgain(
  db: Database,
  customerId: string,
  rows: readonly { id: string; before: z.infer<typeof VehicleRow> }[],
): Promise<ReadonlySet<string>> {
  const { rows: last } = await sql<{ id: string; version: number }>`
    select distinct on (a.row_id) a.row_id as id, (a.before->>'version')::int as version from audit_log a
    where a.customer_id = ${customerId} and a.table_name = 'vehicles' and a.operation = 'delete'
      and a.row_id = any(${rows.map(({ id }) => id)}::text[])
    order by a.row_id, a.at desc, a.id desc`.execute(db)
  const versions = new Map(last.map(({ id, version }) => [id, version]))
  return new Set(
    rows.flatMap(({ id, before }) => ((versions.get(id) ?? 0) > Number(before['version'] ?? 0) ? [id] : [])),
  )
}

const NOT_RESTORED = 'Its lot no longer exists, or another vehicle there has the same VIN or stock number.'

const titleOf = ({ year, make, model, id }: z.infer<typeof VehicleRow>): string =>
  [year, make, model]
    .flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? [String(part)] : []))
    .join(' ') || `No. ${String(id)}`
