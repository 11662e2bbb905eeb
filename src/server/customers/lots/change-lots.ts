import { sql } from 'kysely'
import { z } from 'zod'
import { lots } from '#contract/customers/lots/lots.ts'
import type { Handlers } from '#server/http/serve.ts'
import { changedSince, rowsKind, type Former, type Outcome, type UndoWork } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { lotTable } from './lots.ts'

type Change = { change: { isPublic: boolean } }

/** Shows or hides lots, as a job. */
export function changeLotsHandlers({ startRows }: StartJobs): Pick<Handlers<typeof lots>, 'change'> {
  return {
    change: ({ db, actor, input: { selection, change } }) =>
      startRows(db, actor, {
        kind: showLots.name,
        payload: { change },
        source: lotTable.source,
        selection,
        title: (rows) =>
          change.isPublic ? `Show ${rows} on public pages` : `Hide ${rows} from public pages`,
      }),
  }
}

const showLots = rowsKind({
  name: 'lots.change',
  needs: lots.change.allow,
  payload: z.object({ change: z.object({ isPublic: z.boolean() }) }),
  async change({ db, actor, payload: { change } }, ids) {
    const { rows } = await sql<{ id: string; isPublic: boolean }>`
      with target as (
        select l.id, l.is_public from lots l where l.customer_id = ${actor.customerId} and l.id = any(${[...ids]}::bigint[])
        order by l.id for update
      ), changed as (
        update lots l set is_public = ${change.isPublic} from target t
        where l.customer_id = ${actor.customerId} and l.id = t.id and t.is_public <> ${change.isPublic}
      )
      select id, is_public from target`.execute(db)
    return rows.map(({ id, isPublic }) => ({
      id,
      before: isPublic === change.isPublic ? null : { isPublic },
    }))
  },
  undo: { needs: lots.change.allow, before: z.object({ isPublic: z.boolean() }), rows: undoVisibility },
})

async function undoVisibility(
  { db, actor, payload: { change }, madeUntil }: UndoWork<Change>,
  rows: readonly Former<{ isPublic: boolean }>[],
): Promise<Outcome[]> {
  const found = await sql<{ id: string; name: string; isAsMade: boolean; updatedBy: string | null }>`
    with target as (
      select l.id, l.name, l.is_public = ${change.isPublic} and l.updated_at <= ${madeUntil}::timestamptz as is_as_made, l.updated_by from lots l
      where l.customer_id = ${actor.customerId} and l.id = any(${rows.map(({ id }) => id)}::bigint[])
      order by l.id for update
    ), changed as (
      update lots l set is_public = f.is_public
      from target t
      join unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ before }) => before.isPublic)}::boolean[])
        f (id, is_public) on f.id = t.id
      where l.customer_id = ${actor.customerId} and l.id = t.id and t.is_as_made
    )
    select id, name, is_as_made, updated_by from target`.execute(db)
  return found.rows.map(({ id, name, isAsMade, updatedBy }) =>
    isAsMade ? { id, before: null } : { id, title: name, reason: changedSince(updatedBy) },
  )
}

export const lotJobs = [showLots, lotTable.removeJob]
