import type pg from 'pg'
import { processStaleQueue } from '#server/carbon/index.ts'
import { openPool } from '#server/database/connect.ts'
import { startEmbedded } from '#server/database/embedded/start-embedded.ts'
import { LOGIN } from '#server/database/open-database.ts'
import { asOwner, connectionOf } from './generate.ts'
import type { Row } from './run.ts'

const SOURCES = 200

/** Creates a year of records in one inventory, the same at every run. One source in 200 uses a custom factor. */
async function layOutRecords(client: pg.Client, records: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `with o as (select customer_id, id from organizations where name = 'Northgate Ford'),
      i as (insert into carbon_inventories (customer_id, organization_id, name, period_start, period_end, boundary)
        select customer_id, id, 'Bench', '2025-01-01', '2025-12-31', 'equity' from o returning customer_id, organization_id, id)
    select id::text from i`,
  )
  const inventoryId = rows[0]?.id ?? ''
  await client.query(
    `insert into inventory_facilities (customer_id, organization_id, inventory_id, facility_id)
    select i.customer_id, i.organization_id, i.id, f.id from carbon_inventories i
    join facilities f on f.customer_id = i.customer_id and f.organization_id = i.organization_id and f.code = 'AUB' where i.id = $1`,
    [inventoryId],
  )
  await client.query(
    `with f as (
      insert into emission_factors (customer_id, scopes, category, activity, name, region, unit, boundary, valid_from, source_note)
      select customer_id, '{1}', 'Bench', 'own/bench', 'Bench', 'US', 'kg', 'ttw', '2025-01-01', 'Bench'
      from carbon_inventories where id = $1 returning customer_id, id)
    insert into emission_factor_gases (customer_id, factor_id, place, gas, basis, kg) select customer_id, id, 1, 'CO2e', 'co2e', 2 from f`,
    [inventoryId],
  )
  await client.query(
    `insert into emission_sources (customer_id, organization_id, inventory_id, facility_id, source_type, activity, scope, unit)
    select d.customer_id, d.organization_id, d.inventory_id, d.facility_id, 'bench-' || n,
      case when n = 1 then 'own/bench' else 'combustion/natural-gas' end, '1', case when n = 1 then 'kg' else 'mmBtu' end
    from inventory_facilities d, generate_series(1, $2::int) n where d.inventory_id = $1`,
    [inventoryId, SOURCES],
  )
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into activity_records (customer_id, organization_id, source_id, kind, quantity, unit, calorific_basis, period_start, period_end)
    select s.customer_id, s.organization_id, s.id, 'calculated', 1 + (n * 7919 + s.id) % 100000 / 100.0, s.unit,
      case when s.unit = 'mmBtu' then 'gross' end, d.day, d.day
    from emission_sources s, generate_series(1, $2::int) n cross join lateral (select date '2025-01-01' + n % 365 as day) d
    where s.inventory_id = $1`,
    [inventoryId, records / SOURCES],
  )
  await client.query('set session_replication_role = origin')
  // The first read after a write sets hint bits, which is not part of the measurement.
  await client.query('vacuum analyze')
  return inventoryId
}

const markSourcesStale = (client: pg.Client, inventoryId: string) =>
  client.query(
    `insert into stale_sources (customer_id, source_id, organization_id, inventory_id)
    select customer_id, id, organization_id, inventory_id from emission_sources where inventory_id = $1
    on conflict do nothing`,
    [inventoryId],
  )

/**
 * The baseline: one statement that joins the same records with one factor, writes the same rows into tables with the same
 * columns and indexes, and groups them. It has no months, periods, instruments, tenants or descriptions.
 */
async function writeJoined(client: pg.Client, inventoryId: string): Promise<void> {
  for (const table of ['results', 'totals']) {
    await client.query(`drop table if exists bench_${table}`)
    await client.query(`create table bench_${table} (like calculation_${table} including all)`)
  }
  await client.query(`set work_mem = '64MB'`)
  await client.query(
    `with f as materialized (
      select f.activity, f.unit, min(f.id) as id, sum(g.kg) as co2e from library.factors f
      join library.factor_gases g on g.factor_id = f.id where f.region = 'US' and f.superseded_by is null
      group by f.activity, f.unit),
    joined as not materialized (
      select r.*, s.inventory_id, s.facility_id, s.scope, date_trunc('month', r.period_start)::date as month,
        f.id as found_id, f.co2e
      from activity_records r join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
      join f on f.activity = s.activity and f.unit = s.unit where s.inventory_id = $1 and r.replaced_at is null),
    kept as (
      insert into bench_results (customer_id, organization_id, inventory_id, facility_id, source_id, record_id, record_version,
        month, part, scope, quantity, amount, kg, factor_id, line_id, gwp_set, inclusion, inclusion_reason, engine_version)
      select customer_id, organization_id, inventory_id, facility_id, source_id, id, version, month, 'main', scope, quantity,
        quantity, quantity * co2e, found_id, found_id, 'AR6', 100, (select min(inclusion_reason) from calculation_results), 1
      from joined)
    insert into bench_totals (customer_id, organization_id, inventory_id, facility_id, source_id, month, part, scope, factor_id,
      results, missing, estimated, amount, kg, biogenic_kg, other_kg)
    select customer_id, organization_id, inventory_id, facility_id, source_id, month, 'main', scope, found_id, count(*), 0, 0,
      sum(quantity), sum(quantity * co2e), 0, 0
    from joined group by 1, 2, 3, 4, 5, 6, 8, 9`,
    [inventoryId],
  )
}

/**
 * Measures a full calculation against one statement that only writes and groups the results, and the recalculation after
 * a factor is corrected. Runs the scheduled work in this process, so its memory equals the server's. Nothing else uses the
 * database at the same time.
 */
async function measureIn(home: string, records: number): Promise<Row[]> {
  const { host, port, loginPassword } = await connectionOf(home)
  const login = { host, port, user: LOGIN, password: loginPassword, database: 'forecourt' }
  const [queue, pool] = [openPool(login, 'forecourt_jobs', 1), openPool(login, 'forecourt_app', 1)]
  try {
    return await asOwner(home, async (client) => {
      const inventoryId = await layOutRecords(client, records)
      const timed = async (work: () => Promise<unknown>) => {
        await client.query('checkpoint')
        const startedAt = performance.now()
        await work()
        return performance.now() - startedAt
      }
      const recalculateInventory = async () => {
        await processStaleQueue(queue, pool)
        const { rows } = await client.query('select from stale_sources where inventory_id = $1', [
          inventoryId,
        ])
        if (rows.length > 0) throw new Error(`${rows.length} sources are still stale.`)
      }
      const before = process.memoryUsage.rss()
      await markSourcesStale(client, inventoryId)
      const full = await timed(recalculateInventory)
      const rss = process.memoryUsage.rss()
      const { rows } = await client.query<{ results: string }>(
        'select count(*) as results from calculation_results where inventory_id = $1',
        [inventoryId],
      )
      if (Number(rows[0]?.results) !== records) throw new Error(`There are ${rows[0]?.results} results.`)
      const joined = () => writeJoined(client, inventoryId)
      const join = Math.min(await timed(joined), await timed(joined))
      await client.query(
        `with f as (
          insert into emission_factors (customer_id, scopes, category, activity, name, region, unit, boundary, valid_from, source_note)
          select customer_id, scopes, category, activity, name, region, unit, boundary, valid_from, 'Bench, corrected'
          from emission_factors where activity = 'own/bench' returning customer_id, id),
        g as (insert into emission_factor_gases (customer_id, factor_id, place, gas, basis, kg)
          select customer_id, id, 1, 'CO2e', 'co2e', 3 from f)
        update emission_factors e set superseded_by = f.id from f where e.activity = 'own/bench' and e.id <> f.id`,
      )
      const one = await timed(recalculateInventory)
      const count = records.toLocaleString('en-US')
      return [
        {
          what: `carbon: ${count} records calculated with a result row each, by the schedule`,
          measured: `${(full / 1000).toFixed(1)} s, ${Math.round(records / (full / 1000)).toLocaleString('en-US')}/s`,
          comparison: `one statement that joins, writes the same rows and groups them ${(join / 1000).toFixed(1)} s; goal 1.5`,
          ratio: (full / join).toFixed(2),
        },
        {
          what: `carbon: recalculation after a correction of a factor used by one source of ${SOURCES}`,
          measured: `${Math.round(one)} ms`,
          comparison: 'the full calculation; goal 0.05',
          ratio: (one / full).toFixed(3),
        },
        {
          what: 'carbon: memory of the calculating process, before and after',
          measured: `${Math.round(before / 2 ** 20)} MB, then ${Math.round(rss / 2 ** 20)} MB`,
          comparison: 'limit 400 MB',
          ratio: (rss / 2 ** 20 / 400).toFixed(2),
        },
      ]
    })
  } finally {
    await Promise.all([queue.end(), pool.end()])
  }
}

/** Measures carbon on the database of a home folder whose product isn't running. */
export async function measureCarbon(home: string, records: number): Promise<Row[]> {
  const database = await startEmbedded({ home, say: () => {} })
  try {
    return await measureIn(home, records)
  } finally {
    await database.stop()
  }
}
