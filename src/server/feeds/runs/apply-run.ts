import { sql, type RawBuilder } from 'kysely'
import { FEED_STATUS_REASON, KEPT_STATUS } from '#contract/feeds/mappings/feed-status.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { VALUATIONS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { endedStatuses } from './ended-statuses.ts'
import { clearProblem } from './notify-owner.ts'
import { MISSING_RUNS } from './reading/stage-missing.ts'
import type { RunWork } from './run-work.ts'
import { asFields, assignFields, fieldColumns, fieldValues } from './reading/vehicle-columns.ts'

/** How many rows of one lot are written at once. A user who saves one of these vehicles may have to wait for the batch. */
const BATCH = 500
const TAKEN = 'The lot now has another vehicle with this VIN or stock number.'

/** The display name of a run's feed, from `feed_runs r` and `feed_sources s`. */
export const runLabel = sql<string>`coalesce(s.name, r.mapping_name, r.file_name)`

type Run = { id: string; customerId: string; sourceId: string | null; keepsStatus: boolean; label: string }

/**
 * Writes the staged rows of a run, lot by lot. Each row is compared again: fields that were locked or already changed to the same
 * value are left alone, and vehicles that were sold or removed are noted. Written rows are no longer staged, so the job can be
 * killed at any point and resumed.
 */
export async function applyRun(work: RunWork, runId: string): Promise<void> {
  const { actor, step, tell } = work
  const run = await step((db) => readRun(db, actor.customerId, runId))
  if (run === null) return
  const counted = await step((db) =>
    countRows(db, runId, { of: 'staged', over: ['applied', 'skipped'] }, BATCH),
  )
  let { left } = counted
  const { total } = counted
  for (const write of [writeKnown, writeNew]) {
    let size = BATCH
    for (;;) {
      const written: number | null = await step(async (db) => {
        const count = await withRunHistory(db, run.id, () => write(db, run, size))
        await tell(db, { done: total - left + count, total })
        return count
      }).catch(async (error: unknown) => {
        if (!isViolation(error, 'unique')) throw error
        // One row conflicts: write them one at a time and note the conflict.
        if (size === 1) await step((db) => skipFirst(db, runId))
        return null
      })
      if (written === 0) break
      left -= written ?? (size === 1 ? 1 : 0)
      size = written === null ? 1 : BATCH
    }
  }
  await step((db) => finish(db, run))
}

/** Records the run in the vehicle history of everything written inside `write`. */
async function withRunHistory<T>(db: Database, id: string, write: () => Promise<T>): Promise<T> {
  await sql`select set_config('app.feed_run_id', ${id}, true)`.execute(db)
  const result = await write()
  // The demo data continues in the same transaction.
  await sql`select set_config('app.feed_run_id', '', true)`.execute(db)
  return result
}

async function readRun(db: Database, customerId: string, runId: string): Promise<Run | null> {
  const run = await db
    .selectFrom('feedRuns as r')
    .leftJoin('feedSources as s', (join) =>
      join.onRef('s.customerId', '=', 'r.customerId').onRef('s.id', '=', 'r.sourceId'),
    )
    .select(['r.id', 'r.sourceId', 'r.keepsStatus', runLabel.as('label')])
    .where('r.id', '=', runId)
    .where('r.status', '=', 'applying')
    .executeTakeFirst()
  return run === undefined ? null : { ...run, customerId }
}

/** The state of rows to process, and the states they can have afterwards. */
type Work = { of: 'staged' | 'applied'; over: readonly string[] }

/**
 * How many rows of a run are left to process, and how many there were in total: another server may have processed some before it
 * stopped. Rejected rows are not counted.
 * @param few above this number PostgreSQL is given a row estimate, because it has no statistics for rows written a moment ago.
 */
export async function countRows(
  db: Database,
  runId: string,
  { of, over }: Work,
  few: number,
): Promise<{ left: number; total: number }> {
  const counted = await db
    .selectFrom('feedRunRows')
    .select([
      sql<number>`(count(*) filter (where state = ${of}))::int`.as('left'),
      sql<number>`count(*)::int`.as('total'),
    ])
    .where('runId', '=', runId)
    .where('state', 'in', [of, ...over])
    .where('kind', 'not in', ['refused', 'leftOut'])
    .executeTakeFirstOrThrow()
  if (counted.left > few) await sql`select weigh_feed_rows()`.execute(db)
  return counted
}

/** A single row that the PostgreSQL planner estimates as a hundred, which rules out nested loops over hundreds of rows. */
export const MANY = sql.raw(`jsonb_array_elements('[0]') as many`)

/** The next rows of one lot: either new vehicles or known ones. */
function todo({ customerId, id }: Run, areNew: boolean, size: number): RawBuilder<unknown> {
  // Matches the two partial indexes of staged rows. The kinds are listed, because PostgreSQL underestimates a boolean expression.
  const kinds = areNew ? sql`('new')` : sql`('changed', 'missing', 'same')`
  // A literal, given twice: otherwise the estimate is a hundred times too high and all vehicles are scanned.
  const limit = sql.lit(size)
  return sql`select d.* from (select t.* from feed_run_rows t
    where t.customer_id = ${customerId} and t.run_id = ${id} and t.state = 'staged'
      and t.kind in ${kinds}
      and t.lot_id = (select n.lot_id from feed_run_rows n
        where n.customer_id = ${customerId} and n.run_id = ${id} and n.state = 'staged'
          and n.kind in ${kinds} order by n.lot_id, n.id limit 1)
    order by t.lot_id, t.id limit ${limit}) d cross join ${MANY} limit ${limit}`
}

/** Freshly staged rows have no statistics: an array of IDs makes PostgreSQL use the index instead of scanning. */
const ids = sql`array(select id from todo)`

const stamp = (run: Run, source: 'feed' | 'vin'): RawBuilder<unknown> =>
  sql`jsonb_build_object('source', ${sql.lit(source)}, 'by', ${run.label}::text, 'at', to_char(app_now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'run', ${run.id}::text)`

/** Provenance stamps for what the feed and the VIN fill in: of `t` with `by_feed` and `by_vin`. */
function newStamps(run: Run, t: 's' | 't'): RawBuilder<unknown> {
  const of = (source: 'feed' | 'vin', fields: string): RawBuilder<unknown> =>
    sql`case when ${sql.ref(fields)} = '{}' then '[]'
      else jsonb_build_array(${stamp(run, source)} || jsonb_build_object('fields', ${sql.ref(fields)})) end`
  return sql`${of('feed', `${t}.by_feed`)} || ${of('vin', `${t}.by_vin`)}`
}

/** The publisher and date of a valuation follow its amount: if the amount was locked meanwhile, they stay too. */
const isOfOpenValuation = sql.join(
  VALUATIONS.map(
    ({ amount, source, on }) =>
      sql`(a.key not in (${sql.lit(source)}, ${sql.lit(on)}) or ${sql.lit(amount)} <> all(g.locked))`,
  ),
  sql` and `,
)

/**
 * Splits the stamps of vehicle `g` into those of the fields `e.keys` and all others, like `stamp_fields` and `stamps_of`, but in
 * one pass and without a statement per row.
 */
const splitStamps = sql`select
    coalesce(jsonb_agg(s.value || jsonb_build_object('fields', f.others) order by s.place) filter (where f.others <> '[]'), '[]')
      as other_stamps,
    coalesce(jsonb_agg(s.value || jsonb_build_object('fields', f.own) order by s.place) filter (where f.own <> '[]'), '[]')
      as own_stamps
  from jsonb_array_elements(g.provenance) with ordinality as s (value, place)
  cross join lateral (select s.value -> 'fields' as names, (s.value -> 'fields') - e.keys as others) o
  cross join lateral (select o.others, o.names - array(select jsonb_array_elements_text(o.others)) as own) f`

/** Writes the rows of known vehicles: changed, returned, missing, or only linked to this source. */
async function writeKnown(db: Database, run: Run, limit: number): Promise<number> {
  const { customerId, sourceId } = run
  const { rows } = await sql<{ count: number }>`
    with todo as materialized (${todo(run, false, limit)}),
    target as materialized (
      select t.id as row_id, t.line, t.from_vin, t.before, t.fingerprint, t.kind, t.to_status, t.over_status, ${asFields} as now, v.id, v.status,
        v.status_reason, v.removed_from, v.missing_runs, v.feed_source_id, v.row_fingerprint, v.provenance,
        t.source_price_cents as sent, t.price_answer, t.asks_price, t.sent_price_cents, v.lot_id, v.organization_id, a.takes, v.locked as all_locked, v.source_price_cents, v.seen_source_price_cents,
        case when a.takes then array_remove(v.locked, 'price') else v.locked end as locked,
        -- A lot that was deleted meanwhile is none.
        (select l.id from lots l where l.customer_id = ${customerId} and l.id = t.to_lot_id) as to_lot_id,
        case when a.takes then t.after || jsonb_build_object('price', nullif(t.source_price_cents, 0))
            -- The price of the feed waited with it.
            || case when v.feed_price_cents = v.price_cents and not jsonb_exists(t.after, 'feedPrice')
              then jsonb_build_object('feedPrice', nullif(t.source_price_cents, 0)) else '{}' end
          else t.after end as after
      from (select * from todo order by vehicle_id) t
      -- Lateral, so that they are looked up one by one and in order, whatever the row estimates are.
      cross join lateral (select * from vehicles one where one.customer_id = ${customerId} and one.id = t.vehicle_id
        for update) v
      -- The source's price is taken instead of the one that the user saw, not of a later one.
      cross join lateral (select coalesce(t.price_answer = 'take' and t.asks_price
        and coalesce(v.price_cents, 0) = t.own_price_cents, false) as takes) a
    ), step as materialized (
      select g.*, e.eff, e.keys, p.other_stamps, p.own_stamps,
        array(select k from unnest(e.keys) k where k <> all(g.from_vin)) as by_feed,
        array(select k from unnest(g.from_vin) k where k = any(e.keys)) as by_vin,
        g.line is null or g.status not in ${endedStatuses} or (g.to_status is not null and (g.status_reason = ${FEED_STATUS_REASON} or g.status = g.over_status)) as is_written,
        case when g.line is not null and g.status = 'removed' and coalesce(g.to_status, ${run.keepsStatus ? sql`'removed'` : sql`'live'`}) = 'live' then coalesce(g.removed_from, 'live')
          when g.line is not null and (g.status in ('live', 'removed') or g.status_reason = ${FEED_STATUS_REASON} or g.status = g.over_status
            -- Sold is followed, whatever a person made of it meanwhile.
            or (g.to_status = 'sold' and g.status not in ${endedStatuses})) then g.to_status
          when g.line is null and g.status not in ${endedStatuses} and g.missing_runs + 1 >= ${sql.lit(MISSING_RUNS)} then 'removed'
        end as new_status
      from target g cross join lateral (select coalesce(jsonb_object_agg(a.key, a.value), '{}') as eff,
          coalesce(array_agg(a.key), '{}') as keys
        from jsonb_each(g.after) a
        where a.key <> all(g.locked) and ${isOfOpenValuation} and a.value is distinct from g.now -> a.key
          -- The VIN fills in what has no value, or what this feed takes away.
          and (a.key <> all(g.from_vin) or coalesce(g.before -> a.key, 'null') = g.now -> a.key)) e
      cross join lateral (${splitStamps}) p
    ), changed as (
      update vehicles v set ${assignFields(sql`s.eff`)},
        provenance = case when s.keys = '{}' then v.provenance else s.other_stamps || ${newStamps(run, 's')} end,
        status = coalesce(s.new_status, v.status),
        status_reason = case when s.new_status is null then v.status_reason
          when s.line is not null and s.new_status <> 'live' and s.new_status is not distinct from s.to_status then ${FEED_STATUS_REASON} end,
        removed_from = case when s.new_status is null then v.removed_from when s.new_status = 'removed' then v.status end,
        missing_runs = case when s.line is null then v.missing_runs + 1 else 0 end,
        row_fingerprint = case when s.line is null then v.row_fingerprint else s.fingerprint end,
        feed_source_id = coalesce(${sourceId}::bigint, v.feed_source_id),
        locked = s.locked,
        lot_id = coalesce(s.to_lot_id, v.lot_id),
        organization_id = case when s.to_lot_id is null then v.organization_id
          else (select l.organization_id from lots l where l.customer_id = v.customer_id and l.id = s.to_lot_id) end,
        source_price_cents = coalesce(s.sent, v.source_price_cents),
        -- A price beyond the limits that nobody has decided about: the vehicle asks until someone does.
        seen_source_price_cents = case when s.asks_price and s.price_answer is null and 'price' <> all(v.locked) then s.sent_price_cents
          when s.sent is not null and (s.price_answer = 'keep' or v.seen_source_price_cents is null)
          then s.sent else v.seen_source_price_cents end
      from step s where v.customer_id = ${customerId} and v.id = s.id and s.is_written
    ), marked as (
      update feed_run_rows r set
        state = case when s.is_written then 'applied' else 'skipped' end,
        note = case when s.id is null then 'The vehicle no longer exists or you don''t have access to it.'
          when not s.is_written then 'Its status was changed to ' || s.status || ' after the file was read.' end,
        -- A person gave it another status after the file was read.
        warnings = case when s.is_written and s.line is not null and s.to_status <> s.status and s.new_status is null
          then array_append(r.warnings, ${keptWords(sql`s.status`, sql`s.to_status`)}) else r.warnings end,
        after = case when s.is_written then s.eff else r.after end,
        from_vin = case when s.is_written then s.by_vin else r.from_vin end,
        before = case when s.is_written then (select coalesce(jsonb_object_agg(k, s.now -> k), '{}') from unnest(s.keys) k)
          else r.before end,
        changes_price = case when s.is_written then 'price' = any(s.keys) else r.changes_price end,
        to_status = case when s.is_written then s.new_status else r.to_status end,
        was = case when s.is_written then jsonb_build_object('status', s.status, 'reason', s.status_reason,
          'removedFrom', s.removed_from, 'missingRuns', s.missing_runs, 'sourceId', s.feed_source_id, 'rowFingerprint', s.row_fingerprint,
          'stamps', s.own_stamps, 'sourcePrice', s.source_price_cents, 'seenSourcePrice', s.seen_source_price_cents)
          || case when s.takes then jsonb_build_object('locked', s.all_locked) else '{}' end
          || case when s.to_lot_id is null then '{}' else jsonb_build_object('lotId', s.lot_id, 'organizationId', s.organization_id) end end
      from todo t left join step s on s.row_id = t.id
      where r.customer_id = ${customerId} and r.run_id = ${run.id} and r.id = any(${ids}) and r.id = t.id
    )
    select count(*)::int as count from todo`.execute(db)
  return rows[0]?.count ?? 0
}

/** What a row says whose vehicle keeps its status: as `keptSentence`. */
function keptWords(status: RawBuilder<unknown>, given: RawBuilder<unknown>): RawBuilder<unknown> {
  const labels = JSON.stringify(
    Object.fromEntries((VEHICLE_LIST.fields.status.choices ?? []).map(({ value, label }) => [value, label])),
  )
  const name = (of: RawBuilder<unknown>) => sql`coalesce(${labels}::jsonb ->> ${of}, ${of})`
  return sql`'The vehicle keeps the status ' || ${name(status)} || ${`, ${KEPT_STATUS} `} || ${name(given)} || '.'`
}

/** Adds new vehicles on the lot of their row, for sale unless the feed gives another status. */
async function writeNew(db: Database, run: Run, limit: number): Promise<number> {
  const { customerId, sourceId } = run
  const { rows } = await sql<{ count: number }>`
    with todo as materialized (${todo(run, true, limit)}),
    added as (
      insert into vehicles (customer_id, organization_id, lot_id, status, status_reason, row_fingerprint, feed_source_id, provenance,
        source_price_cents, seen_source_price_cents, ${fieldColumns})
      select l.customer_id, l.organization_id, l.id, coalesce(t.to_status, 'live'),
        case when t.to_status is not null then ${FEED_STATUS_REASON} end, t.fingerprint, ${sourceId}::bigint,
        ${newStamps(run, 't')}, t.source_price_cents, t.source_price_cents, ${fieldValues(sql`t.after`)}
      from (select d.*, d.from_vin as by_vin,
        array(select k from jsonb_object_keys(d.after) k where k <> all(d.from_vin)) as by_feed from todo d) t
      join lots l on l.customer_id = ${customerId} and l.id = t.lot_id
      order by t.id
      on conflict do nothing
      returning id, lot_id, row_fingerprint
    ), written as materialized (
      select t.id, a.id as vehicle_id from todo t left join added a on a.row_fingerprint = t.fingerprint and a.lot_id = t.lot_id
    ), marked as (
      update feed_run_rows r set vehicle_id = t.vehicle_id,
        state = case when t.vehicle_id is null then 'skipped' else 'applied' end,
        note = case when t.vehicle_id is null then ${TAKEN} end
      from written t
      where r.customer_id = ${customerId} and r.run_id = ${run.id} and r.id = any(${ids}) and r.id = t.id
    )
    select count(*)::int as count from todo`.execute(db)
  return rows[0]?.count ?? 0
}

/** Marks the next row of a known vehicle as skipped because it conflicts. */
async function skipFirst(db: Database, runId: string): Promise<void> {
  await sql`update feed_run_rows r set state = 'skipped', note = ${TAKEN}
    where r.run_id = ${runId} and r.id = (select t.id from feed_run_rows t where t.run_id = ${runId} and t.state = 'staged'
      and t.kind in ('changed', 'missing', 'same') order by t.lot_id, t.id limit 1)`.execute(db)
}

async function finish(db: Database, run: Run): Promise<void> {
  await db
    .updateTable('feedRuns')
    .set({
      status: 'applied',
      error: null,
      appliedAt: sql`app_now()`,
      skippedCount: sql`(select count(*)::int from feed_run_rows t where t.run_id = feed_runs.id and t.state = 'skipped')`,
    })
    .where('id', '=', run.id)
    .execute()
  if (run.sourceId === null) return
  // Older files of the source can't be applied anymore.
  await sql`update feed_runs o set status = 'canceled', stored_as = null, second_stored_as = null,
      error = 'A later file from this feed source was applied: ' || (select r.file_name from feed_runs r where r.id = ${run.id}) || '.'
    where o.source_id = ${run.sourceId} and o.id < ${run.id} and o.status in ('ready', 'review')`.execute(db)
  await db
    .updateTable('feedSources')
    .set({
      lastRowCount: sql`(select row_count from feed_runs r where r.id = ${run.id})`,
      lastRunAt: sql`app_now()`,
    })
    .where('id', '=', run.sourceId)
    .execute()
  await clearProblem(db, run.sourceId)
}
