import { sql } from 'kysely'
import type { RunNames } from '#server/vehicles/index.ts'
import { runLabel } from './apply-run.ts'
import { RUN_JOBS } from './run-jobs.ts'

/** The names of feed runs, for the timelines of vehicles. */
export const runNames: RunNames = {
  async readLabels(db, runIds) {
    const { rows } = await sql<{ id: string; label: string }>`
      select r.id::text, ${runLabel} as label from feed_runs r
      left join feed_sources s on s.customer_id = r.customer_id and s.id = r.source_id
      where r.id = any(${[...runIds]}::bigint[])`.execute(db)
    return new Map(rows.map(({ id, label }) => [id, label]))
  },

  async readUndone(db, jobIds) {
    if (jobIds.length === 0) return new Map()
    const { rows } = await sql<{ id: string; run: string }>`
      select j.id::text, j.payload ->> 'runId' as run from jobs j
      where j.id = any(${[...jobIds]}::bigint[]) and j.kind = ${RUN_JOBS.undo}
        and j.payload ->> 'runId' is not null`.execute(db)
    return new Map(rows.map(({ id, run }) => [id, run]))
  },
}
