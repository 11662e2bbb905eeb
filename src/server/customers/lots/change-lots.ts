import { sql } from 'kysely'
import { z } from 'zod'
import { lots } from '#contract/customers/lots/lots.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Handlers } from '#server/http/serve.ts'
import {
  changedSince,
  rowsKind,
  type Former,
  type Outcome,
  type RowsWork,
  type UndoWork,
} from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { lotColumns, lotSource } from './lots.ts'

type Change = { change: { isPublic: boolean } }

/** Bulk changes and deletion of lots, as jobs. */
export function changeLotsHandlers({
  startRows,
}: StartJobs): Pick<Handlers<typeof lots>, 'change' | 'removeMany'> {
  return {
    change: ({ db, actor, input: { selection, change } }) =>
      startRows(db, actor, {
        kind: showLots.name,
        payload: { change },
        source: lotSource,
        selection,
        title: (rows) =>
          change.isPublic ? `Show ${rows} on public pages` : `Hide ${rows} from public pages`,
      }),

    removeMany: ({ db, actor, input: { selection } }) =>
      startRows(db, actor, {
        kind: removeLots.name,
        payload: {},
        source: lotSource,
        selection,
        title: (rows) => `Delete ${rows}`,
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

type LotImage = Record<string, unknown>

const removeLots = rowsKind({
  name: 'lots.removeMany',
  needs: lots.removeMany.allow,
  payload: z.object({}),
  // The deleted lot must stay in the audit log, even after the undo period.
  leavesEntries: true,
  async change({ db, actor }, ids) {
    // Lock first: a vehicle being added to one of the lots waits, and the next statement sees it.
    const { rows: locked } = await sql<{ id: string; name: string; before: LotImage }>`
      select l.id, l.name, to_jsonb(l) - 'customer_id' as before from lots l
      where l.customer_id = ${actor.customerId} and l.id = any(${[...ids]}::bigint[])
      order by l.id for update`.execute(db)
    const { rows: used } = await sql<{ id: string; vehicles: number }>`
      select v.lot_id as id, count(*)::int as vehicles from vehicles v
      where v.customer_id = ${actor.customerId} and v.lot_id = any(${locked.map(({ id }) => id)}::bigint[])
      group by v.lot_id`.execute(db)
    const vehiclesOn = new Map(used.map(({ id, vehicles }) => [id, vehicles]))
    const free = locked.flatMap(({ id }) => (vehiclesOn.has(id) ? [] : [id]))
    await sql`delete from lots where customer_id = ${actor.customerId} and id = any(${free}::bigint[])`.execute(
      db,
    )
    return locked.map(({ id, name, before }) => {
      const vehicles = vehiclesOn.get(id)
      if (vehicles === undefined) return { id, before }
      return {
        id,
        title: name,
        reason: vehicles === 1 ? '1 vehicle is on this lot.' : `${vehicles} vehicles are on this lot.`,
      }
    })
  },
  undo: {
    // Restoring a lot creates it.
    needs: can(Func.lots, Opr.create),
    before: z.record(z.string(), z.unknown()),
    rows: restoreLots,
  },
})

const restored = sql`${lotColumns.written}, version, created_at`

/** Restores lots with their IDs, unless their code is in use or their organization no longer exists. */
async function restoreLots({ db }: RowsWork<unknown>, rows: readonly Former<LotImage>[]): Promise<Outcome[]> {
  // Lots deleted by a version without opening hours have none.
  const images = JSON.stringify(rows.map(({ before }) => ({ hours: [], holidays: [], ...before })))
  const { rows: back } = await sql<{ id: string }>`
    insert into lots (id, ${restored}) overriding system value
    select r.id, ${restored} from jsonb_populate_recordset(null::lots, ${images}::jsonb) r
    where exists (select from organizations o where o.id = r.organization_id)
      and not exists (select from lot_dealer_ids d join unnest(r.dealer_ids) one on d.dealer_key = lower(btrim(one)))
    order by r.id
    on conflict do nothing
    returning id`.execute(db)
  const there = new Set(back.map(({ id }) => id))
  return rows.map(({ id, before }) =>
    there.has(id)
      ? { id, before: null }
      : {
          id,
          title: String(before.name),
          reason: `Its code ${String(before.code)} or one of its dealer IDs is in use again, or its organization no longer exists.`,
        },
  )
}

export const lotJobs = [showLots, removeLots]
