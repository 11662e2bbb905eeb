import { sql, type RawBuilder } from 'kysely'
import type { FeedUndo } from '#contract/feeds/runs/feed-runs.ts'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { countRows, MANY } from './apply-run.ts'
import type { RunWork } from './run-work.ts'
import { assignFields, FIELD_NAMES } from './reading/vehicle-columns.ts'

const BATCH = 500
const TITLES = JSON.stringify(
  Object.fromEntries(FIELD_NAMES.map((name) => [name, VEHICLE_FIELDS[name].title])),
)

/**
 * Undoes an applied run: restores values and statuses that have not changed since, and deletes vehicles that it added,
 * unless they differ from what it added. So undoing several runs, the last one first, restores the state before the first. Rows
 * left unchanged get a note that names what was changed and by whom. The job can be killed at any point and resumed.
 */
export async function undoRun({ actor, step, tell }: RunWork, runId: string): Promise<void> {
  const { customerId } = actor
  const counted = await step(async (db) => {
    const run = await db
      .selectFrom('feedRuns')
      .select('id')
      .where('id', '=', runId)
      .where('status', '=', 'undoing')
      .executeTakeFirst()
    return run === undefined
      ? null
      : countRows(db, runId, { of: 'applied', over: ['undone', 'notUndone'] }, BATCH)
  })
  if (counted === null) return
  let { left } = counted
  const { total } = counted
  let size = BATCH
  for (;;) {
    const undone: number | null = await step(async (db) => {
      const count = await undoRows(db, { customerId, runId }, size)
      await tell(db, { done: total - left + count, total })
      return count
    }).catch(async (error: unknown) => {
      if (!isViolation(error, 'unique') && !isViolation(error, 'foreign key')) throw error
      if (size === 1) await step((db) => keepFirst(db, runId))
      return null
    })
    if (undone === 0) break
    left -= undone ?? (size === 1 ? 1 : 0)
    size = undone === null ? 1 : BATCH
  }
  await step((db) => finish(db, runId))
}

/**
 * The CTEs `target` and `step`: what undoing does to each vehicle of the rows in `todo`. The preview and the undo use the same.
 * @param lock how the vehicles are locked, if they are.
 */
const stepsOf = (
  { customerId, runId }: { customerId: string; runId: string },
  lock: RawBuilder<unknown>,
) => sql`later as materialized (
    -- Statuses and lots that later runs gave stay, even if they are the same.
    select l.vehicle_id, bool_or(l.to_status is not null) as has_status, bool_or(l.to_lot_id is not null) as has_lot from feed_runs u join feed_runs n on n.customer_id = u.customer_id and n.status = 'applied'
        and (n.applied_at, n.id) > (u.applied_at, u.id)
      join feed_run_rows l on l.customer_id = n.customer_id and l.run_id = n.id and l.state = 'applied'
        and (l.to_status is not null or l.to_lot_id is not null) and l.vehicle_id is not null
    where u.customer_id = ${customerId} and u.id = ${runId} group by l.vehicle_id
  ), target as materialized (
    select t.id as row_id, t.kind, t.line, t.before, t.was, t.fingerprint, t.to_status, t.source_price_cents as sent, t.to_lot_id, v.id, v.status, v.lot_id,
      (select u.applied_at from feed_runs u where u.customer_id = ${customerId} and u.id = ${runId}) as applied_at, v.missing_runs,
      fields_of_run(v.provenance, ${runId}::bigint) as own,
      -- What differs from the vehicle as this run added it, no matter what was changed and undone in between.
      (select string_agg(distinct s.value ->> 'by', ', ') from jsonb_array_elements(v.provenance) s
        where s.value ->> 'run' is not null and s.value ->> 'run' <> ${runId}) as later_feeds,
      (select string_agg(distinct s.value ->> 'by', ', ') from jsonb_array_elements(v.provenance) s
        where s.value ->> 'run' is null) as editors,
      array(select f from jsonb_array_elements(v.provenance) s cross join lateral jsonb_array_elements_text(s.value -> 'fields') f
        where s.value ->> 'run' is null) as edited,
      array_remove(array[
        case when v.status <> coalesce(t.to_status, 'live') then 'Status' end,
        case when v.lot_id <> t.lot_id then 'Lot' end,
        case when v.tags <> '{}' then 'Tags' end,
        case when exists (select from vehicle_special_prices p where p.customer_id = v.customer_id and p.vehicle_id = v.id)
          then 'Special price' end,
        case when v.locked <> '{}' and not exists (select from jsonb_array_elements(v.provenance) s where s.value ->> 'run' is null)
          then 'Locked values' end], null) as edited_otherwise
    from (select * from todo order by vehicle_id) t
    cross join lateral (select * from vehicles one where one.customer_id = ${customerId} and one.id = t.vehicle_id
      ${lock}) v
  ), step as materialized (
    select g.*, g.kind = 'new' and g.later_feeds is null and g.edited = '{}' and g.edited_otherwise = '{}' and g.missing_runs = 0
        as goes,
      array(select k from jsonb_object_keys(g.before) k where k = any(g.own)) as back,
      array(select k from jsonb_object_keys(g.before) k where k <> all(g.own)) as others,
      g.to_status is not null and g.status = g.to_status and not coalesce(n.has_status, false)
        -- Nor has a person set the same one since.
        and not exists (select from vehicle_history h where h.customer_id = ${customerId} and h.vehicle_id = g.id and h.at > g.applied_at
          and h.job_id is null and h.feed_run_id is null and h.status = g.to_status and g.to_status <> (select p.status
            from vehicle_history p where p.customer_id = h.customer_id and p.vehicle_id = h.vehicle_id and (p.at, p.id) < (h.at, h.id)
            order by p.at desc, p.id desc limit 1)) as is_status_own,
      g.to_lot_id is not null and g.lot_id = g.to_lot_id and not coalesce(n.has_lot, false) as is_lot_own
    from target g left join later n on n.vehicle_id = g.id
  )`

async function undoRows(
  db: Database,
  { customerId, runId }: { customerId: string; runId: string },
  size: number,
): Promise<number> {
  const limit = sql.lit(size)
  const { rows } = await sql<{ count: number }>`
    with todo as materialized (
      select d.* from (select t.* from feed_run_rows t
      where t.customer_id = ${customerId} and t.run_id = ${runId} and t.state = 'applied'
        and t.lot_id = (select n.lot_id from feed_run_rows n where n.customer_id = ${customerId} and n.run_id = ${runId}
          and n.state = 'applied' order by n.lot_id, n.id limit 1)
      order by t.lot_id, t.id limit ${limit}) d cross join ${MANY} limit ${limit}
    ),
    ${stepsOf({ customerId, runId }, sql`for update`)}
    , gone as (
      delete from vehicles v using step s where v.customer_id = ${customerId} and v.id = s.id and s.goes
    ), changed as (
      update vehicles v set
        ${assignFields(sql`(select coalesce(jsonb_object_agg(k, s.before -> k), '{}') from unnest(s.back) k)`)},
        provenance = unstamp_fields(v.provenance, s.back, stamps_of(s.was -> 'stamps', s.back)),
        status = case when s.is_status_own then s.was ->> 'status' else v.status end,
        status_reason = case when s.is_status_own then s.was ->> 'reason' else v.status_reason end,
        removed_from = case when s.is_status_own then s.was ->> 'removedFrom' else v.removed_from end,
        missing_runs = case when s.to_status is null or s.is_status_own then (s.was ->> 'missingRuns')::smallint else v.missing_runs end,
        row_fingerprint = case when s.line is null then v.row_fingerprint
          when v.row_fingerprint is not distinct from s.fingerprint and s.others = '{}' then s.was ->> 'rowFingerprint' end,
        feed_source_id = (s.was ->> 'sourceId')::bigint,
        lot_id = case when s.is_lot_own then (s.was ->> 'lotId')::bigint else v.lot_id end,
        organization_id = case when s.is_lot_own then (s.was ->> 'organizationId')::bigint else v.organization_id end,
        source_price_cents = case when v.source_price_cents = s.sent then (s.was ->> 'sourcePrice')::bigint else v.source_price_cents end,
        seen_source_price_cents = case when v.source_price_cents = s.sent then (s.was ->> 'seenSourcePrice')::bigint
          else v.seen_source_price_cents end,
        locked = case when not jsonb_exists(s.was, 'locked') or 'price' <> all(s.back) or 'price' = any(v.locked) then v.locked
          when v.locked = array_remove(l.before, 'price') then l.before else v.locked || array['price'] end
      from step s cross join lateral (select array(select jsonb_array_elements_text(s.was -> 'locked')) as before) l
      where v.customer_id = ${customerId} and v.id = s.id and s.kind <> 'new'
    ), marked as (
      update feed_run_rows r set
        state = case when d.note is null then 'undone' else 'notUndone' end, note = d.note
      from (
        select t.id, case
          when s.id is null then case when t.kind <> 'new' then 'The vehicle no longer exists or you don''t have access to it.' end
          when s.kind = 'new' and not s.goes and s.edited = '{}' and s.edited_otherwise = '{}'
            then 'A later feed lists or misses it' || coalesce(': ' || s.later_feeds, '') || '. Undo the later feed first.'
          when s.kind = 'new' and not s.goes then 'Edited' || coalesce(' by ' || s.editors, '') || ' after the feed was applied: '
            || concat_ws(', ', ${titlesOf(customerId, 's.edited')}, nullif(array_to_string(s.edited_otherwise, ', '), '')) || '.'
          when s.others <> '{}' then 'Changed since: ' || ${titlesOf(customerId, 's.others')} || '.'
          when s.to_status is not null and not s.is_status_own then 'Its status was changed after the feed was applied.'
          when s.to_lot_id is not null and not s.is_lot_own then 'Its lot was changed after the feed was applied.'
        end as note
        from todo t left join step s on s.row_id = t.id
      ) d
      where r.customer_id = ${customerId} and r.run_id = ${runId} and r.id = any(array(select id from todo)) and r.id = d.id
    )
    select count(*)::int as count from todo`.execute(db)
  return rows[0]?.count ?? 0
}

/** The titles of the fields in an array column, standard and custom ones. */
const titlesOf = (
  customerId: string,
  fields: string,
) => sql`(select string_agg(n.title, ', ' order by n.title)
  from unnest(${sql.ref(fields)}) k
  cross join lateral (select coalesce(${TITLES}::jsonb ->> k, (select f ->> 'name' from customers c
    cross join lateral jsonb_array_elements(c.custom_fields) f
    where c.id = ${customerId} and 'custom_' || (f ->> 'key') = k), k) as title) n)`

/** Marks the next row as not undone. */
async function keepFirst(db: Database, runId: string): Promise<void> {
  await sql`update feed_run_rows r set state = 'notUndone',
      note = 'Another record conflicts with it or depends on it.'
    where r.run_id = ${runId} and r.id = (select t.id from feed_run_rows t where t.run_id = ${runId} and t.state = 'applied'
      order by t.lot_id, t.id limit 1)`.execute(db)
}

/**
 * Later runs that changed the same vehicles remember what this run had written. Undoing them restores what was there before it,
 * unless a person changed it in between.
 */
async function handBefore(db: Database, runId: string): Promise<void> {
  await sql`
    with found as materialized (
      select l.customer_id, l.run_id, l.id, l.was as later, t.was, t.before, t.to_status, t.fingerprint, t.source_price_cents, t.to_lot_id, u.source_id,
        array(select k from unnest(fields_of_run(l.was -> 'stamps', u.id)) k where jsonb_exists(l.before, k) and jsonb_exists(t.before, k)) as keys
      from feed_runs u
      join feed_run_rows t on t.customer_id = u.customer_id and t.run_id = u.id and t.kind <> 'new' and t.state in ('undone', 'notUndone')
      join feed_runs n on n.customer_id = u.customer_id and n.status = 'applied' and n.applied_at > u.applied_at
      join feed_run_rows l on l.customer_id = n.customer_id and l.run_id = n.id and l.vehicle_id = t.vehicle_id
        and l.state = 'applied' and l.kind <> 'new'
      where u.id = ${runId}
    ), handed as (
      select f.*, coalesce((select jsonb_object_agg(k, f.before -> k) from unnest(f.keys) k), '{}') as former,
        case when f.later ->> 'status' = f.to_status then jsonb_build_object('status', f.was -> 'status', 'reason', f.was -> 'reason',
          'removedFrom', f.was -> 'removedFrom', 'missingRuns', f.was -> 'missingRuns') else '{}' end
        || case when f.later ->> 'rowFingerprint' = f.fingerprint then jsonb_build_object('rowFingerprint', f.was -> 'rowFingerprint') else '{}' end
        || case when f.later ->> 'sourceId' = f.source_id::text then jsonb_build_object('sourceId', f.was -> 'sourceId') else '{}' end
        || case when (f.later ->> 'sourcePrice')::bigint = f.source_price_cents then jsonb_build_object('sourcePrice', f.was -> 'sourcePrice',
          'seenSourcePrice', f.was -> 'seenSourcePrice') else '{}' end
        || case when (f.later ->> 'lotId')::bigint = f.to_lot_id then jsonb_build_object('lotId', f.was -> 'lotId',
          'organizationId', f.was -> 'organizationId') else '{}' end
        || jsonb_build_object('stamps', unstamp_fields(f.later -> 'stamps', f.keys, stamps_of(f.was -> 'stamps', f.keys))) as own
      from found f
    )
    update feed_run_rows l set before = l.before || h.former, was = l.was || h.own
    from handed h where l.customer_id = h.customer_id and l.run_id = h.run_id and l.id = h.id`.execute(db)
}

async function finish(db: Database, runId: string): Promise<void> {
  await handBefore(db, runId)
  await sql`update feed_runs r set status = 'undone', error = null, undone_at = app_now(),
      not_undone_count = (select count(*)::int from feed_run_rows t where t.run_id = r.id and t.state = 'notUndone')
    where r.id = ${runId}`.execute(db)
  // The next file is compared with the last applied one.
  await sql`update feed_sources s set last_row_count = (select l.row_count from feed_runs l
      where l.source_id = s.id and l.status = 'applied' order by l.applied_at desc limit 1)
    from feed_runs r where r.id = ${runId} and s.customer_id = r.customer_id and s.id = r.source_id`.execute(
    db,
  )
}

/**
 * What undoing an applied run would do to prices, as things are now: the totals of the prices that change back, and of the vehicles
 * that are deleted because the run added them.
 */
export async function previewUndo(
  db: Database,
  { customerId, runId }: { customerId: string; runId: string },
): Promise<FeedUndo> {
  const { rows } = await sql<FeedUndo>`
    with todo as materialized (
      select t.* from feed_run_rows t where t.customer_id = ${customerId} and t.run_id = ${runId} and t.state = 'applied'
        and (t.kind = 'new' or jsonb_exists(t.before, 'price'))
    ),
    ${stepsOf({ customerId, runId }, sql``)}
    , priced as (
      select s.goes, v.price_cents as was, case when s.goes then null else (s.before ->> 'price')::bigint end as price
      from step s join vehicles v on v.customer_id = ${customerId} and v.id = s.id
      where s.goes or (s.kind <> 'new' and 'price' = any(s.back))
    )
    select (count(*) filter (where not goes and was is distinct from price))::int as prices,
      coalesce(sum(was) filter (where not goes and was is distinct from price), 0)::float8 as "beforeCents",
      coalesce(sum(price) filter (where not goes and was is distinct from price), 0)::float8 as "afterCents",
      (count(*) filter (where goes))::int as removed, coalesce(sum(was) filter (where goes), 0)::float8 as "removedCents",
      (select c.currency from customers c where c.id = ${customerId}) as currency
    from priced`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('An aggregate always has a row.')
  return found
}
