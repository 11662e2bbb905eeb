import { sql } from 'kysely'
import { z } from 'zod'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Handlers } from '#server/http/serve.ts'
import { changedSince, rowsKind, type Former, type Outcome, type UndoWork } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { vehicleSource } from './vehicles.ts'

/** Bulk unlocking of fields, queued as a job. */
export function unlockVehiclesHandlers(jobs: StartJobs): Pick<Handlers<typeof vehicles>, 'unlock'> {
  return {
    async unlock({ db, actor, input: { selection } }) {
      return jobs.startRows(db, actor, {
        kind: unlockVehiclesJob.name,
        payload: {},
        source: vehicleSource,
        selection,
        title: (rows) => `Unlock ${rows}`,
      })
    },
  }
}

const Before = z.object({ locked: z.array(z.string()) })

export const unlockVehiclesJob = rowsKind({
  name: 'vehicles.unlock',
  needs: vehicles.unlock.allow,
  payload: z.object({}),
  async change({ db, actor }, ids) {
    const { rows } = await sql<{ id: string; locked: string[] }>`
      with target as (
        select v.id, v.locked from vehicles v where v.customer_id = ${actor.customerId} and v.id = any(${[...ids]}::bigint[])
        order by v.id for update
      ), changed as (
        -- Without its row hash, the next feed compares the vehicle again even if its feed row hasn't changed.
        update vehicles v set locked = '{}', row_fingerprint = null from target t
        where v.customer_id = ${actor.customerId} and v.id = t.id and cardinality(t.locked) > 0
      )
      select id, locked from target`.execute(db)
    return rows.map(({ id, locked }) => ({ id, before: locked.length === 0 ? null : { locked } }))
  },
  undo: { needs: vehicles.unlock.allow, before: Before, rows: lockAgain },
})

async function lockAgain(
  { db, actor, madeUntil }: UndoWork<unknown>,
  rows: readonly Former<z.infer<typeof Before>>[],
): Promise<Outcome[]> {
  const steps = JSON.stringify(rows.map(({ id, before }) => ({ id, locked: before.locked })))
  const found = await sql<{ id: string; title: string; isAsMade: boolean; updatedBy: string | null }>`
    with target as (
      select v.id, concat_ws(' ', v.year, v.make, v.model, v.trim) as title, v.updated_by,
        v.updated_at <= ${madeUntil}::timestamptz and v.locked = '{}' as is_as_made
      from vehicles v where v.customer_id = ${actor.customerId} and v.id = any(${rows.map(({ id }) => id)}::bigint[])
      order by v.id for update
    ), changed as (
      update vehicles v set locked = array(select jsonb_array_elements_text(s.locked))
      from target t join jsonb_to_recordset(${steps}::jsonb) as s (id bigint, locked jsonb) on s.id = t.id
      where v.customer_id = ${actor.customerId} and v.id = t.id and t.is_as_made
    )
    select id, title, is_as_made, updated_by from target`.execute(db)
  return found.rows.map(({ id, title, isAsMade, updatedBy }) =>
    isAsMade ? { id, before: null } : { id, title, reason: changedSince(updatedBy) },
  )
}
