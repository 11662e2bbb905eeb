import { sql } from 'kysely'
import { z } from 'zod'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Handlers } from '#server/http/serve.ts'
import { linksIn, readLinks, restoreLinks } from '#server/lists/blanked-links.ts'
import { rowsKind, type Former, type Outcome, type RowsWork } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { STORED_COLUMNS } from './restore-vehicle.ts'
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

/** All columns of a vehicle, by column name. */
const Row = z.record(z.string(), z.unknown())
type Row = z.infer<typeof Row>

export const removeVehiclesJob = rowsKind({
  name: 'vehicles.removeMany',
  needs: vehicles.removeMany.allow,
  payload: z.object({}),
  // A deleted vehicle must stay in the audit log, even after the undo period.
  leavesEntries: true,
  async change({ db, actor }, ids) {
    const links = await readLinks(db, { table: 'vehicles', customerId: actor.customerId }, ids)
    const { rows } = await sql<{ id: string; before: Row }>`
      delete from vehicles v using (
        select t.id from vehicles t where t.customer_id = ${actor.customerId} and t.id = any(${[...ids]}::bigint[])
        order by t.id for update) locked
      where v.customer_id = ${actor.customerId} and v.id = locked.id
      returning v.id, to_jsonb(v) - 'customer_id' as before`.execute(db)
    return rows.map(({ id, before }) => ({ id, before: { ...before, links: links.get(id) ?? {} } }))
  },
  undo: { needs: vehicles.restore.allow, before: Row, rows: restoreVehicles },
})

/** Restores vehicles with their IDs, unless their lot is gone or another vehicle has taken their VIN or stock number there. */
async function restoreVehicles(
  { db, actor }: RowsWork<unknown>,
  rows: readonly Former<Row>[],
): Promise<Outcome[]> {
  const names = STORED_COLUMNS.filter((name) => name !== 'customer_id')
  const columns = sql.join(names.map((name) => sql.ref(name)))
  // Forms loaded before the deletion must count as stale.
  const values = sql.join(
    names.map((name) => (name === 'version' ? sql`r.version + 1` : sql.ref(`r.${name}`))),
  )
  const images = JSON.stringify(rows.map(({ before }) => before))
  const { rows: back } = await sql<{ id: string }>`
    insert into vehicles (${columns}) overriding system value
    select ${values} from jsonb_populate_recordset(null::vehicles, ${images}::jsonb) r
    where exists (select from lots l where l.id = r.lot_id and l.organization_id = r.organization_id)
    order by r.id
    on conflict do nothing
    returning id`.execute(db)
  const restored = new Set(back.map(({ id }) => id))
  await restoreLinks(db, { table: 'vehicles', customerId: actor.customerId }, linksIn(rows, restored))
  return rows.map(({ id, before }) =>
    restored.has(id)
      ? { id, before: null }
      : {
          id,
          title: titleOf(before),
          reason: 'Its lot no longer exists, or another vehicle there has the same VIN or stock number.',
        },
  )
}

const titleOf = ({ year, make, model, id }: Row): string =>
  [year, make, model]
    .flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? [String(part)] : []))
    .join(' ') || `No. ${String(id)}`
