import type pg from 'pg'

/** Makes and models of the generated vehicles, the most frequent first. */
const MODELS = [
  ['Ford', 'F-150'],
  ['Toyota', 'RAV4'],
  ['Honda', 'Civic'],
  ['Ford', 'Explorer'],
  ['Toyota', 'Camry'],
  ['Chevrolet', 'Silverado 1500'],
  ['Jeep', 'Wrangler'],
  ['Nissan', 'Altima'],
  ['Tesla', 'Model 3'],
  ['Subaru', 'Outback'],
  ['Ram', '1500'],
  ['Hyundai', 'Tucson'],
] as const

/**
 * Adds vehicles to every lot of `lots`. They depend only on their numbers, so they are the same at every run. Most are
 * for sale, earlier models are more frequent, costs match prices, and a few values are missing, as in real feeds.
 * @param lots a query of `customer_id, organization_id, lot_id, vehicles` (number of vehicles for the lot).
 */
export async function addVehicles(client: pg.Client, lots: string): Promise<number> {
  const { rowCount } = await client.query(
    `with added as (insert into vehicles (customer_id, organization_id, lot_id, vin, stock, condition, status, year, make, model, trim, body,
      color, fuel, transmission, drivetrain, mileage, price_cents, msrp_cents, cost_cents, in_stock_on, created_at, updated_at)
    select l.customer_id, l.organization_id, l.lot_id,
      upper('1FB' || lpad(to_hex(l.lot_id), 6, '0') || lpad(to_hex(n), 8, '0')),
      case when r.a % 97 > 0 then 'S' || l.lot_id || '-' || n end,
      (array['used', 'used', 'used', 'new', 'new', 'cpo', 'demo'])[1 + r.a % 7],
      (array['live', 'live', 'live', 'live', 'live', 'preparing', 'hold', 'sold', 'pending', 'incoming'])[1 + r.b % 10],
      2014 + (r.c % 12)::int, m.pair[1], m.pair[2],
      (array['XLT', 'SE', 'Limited', 'Sport', null])[1 + r.b % 5], (array['SUV', 'Pickup', 'Sedan'])[1 + r.c % 3],
      (array['Oxford white', 'Carbon gray', 'Race red', 'Blue'])[1 + r.a % 4], (array['Gasoline', 'Hybrid', 'Electric'])[1 + r.b % 3],
      'Automatic', (array['AWD', 'FWD', 'RWD'])[1 + r.c % 3], (r.b % 120000)::int,
      case when r.c % 53 > 0 then 900000 + r.d % 5600000 end, 1100000 + r.d % 6000000,
      case when r.c % 11 > 0 then 800000 + r.d % 5600000 end,
      date '2026-11-01' - (r.d % 180)::int, timestamptz '2026-11-01 00:00Z' - (r.e % 15000000) * interval '1 second',
      timestamptz '2026-11-01 00:00Z' - (r.e % 15000000) * interval '1 second'
    from (${lots}) l
    cross join lateral generate_series(1, l.vehicles) n
    cross join lateral (select n::bigint * 7919 + l.lot_id * 104729 as seed) s
    cross join lateral (select
      abs(hashint8extended(s.seed, 1)) as a, abs(hashint8extended(s.seed, 2)) as b, abs(hashint8extended(s.seed, 3)) as c,
      abs(hashint8extended(s.seed, 4)) as d, abs(hashint8extended(s.seed, 5)) as e) r
    -- Of two draws the lower one: the first models come more often.
    cross join lateral (select $1::text[] as names, 1 + least(r.d % ${MODELS.length}, r.e % ${MODELS.length}) as at) w
    cross join lateral (select string_to_array(w.names[w.at], '|') as pair) m
    returning customer_id, id, organization_id, price_cents)
    insert into vehicle_prices (customer_id, vehicle_id, organization_id, selling_cents, total_cents)
    select customer_id, id, organization_id, price_cents, price_cents from added`,
    [MODELS.map((pair) => pair.join('|'))],
  )
  return rowCount ?? 0
}

/**
 * Runs `load` without a table's secondary indexes and triggers, and restores them, which takes seconds instead of
 * minutes. Only for generating data; requires the database owner.
 */
export async function withoutIndexes(
  client: pg.Client,
  table: string,
  load: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = $1::regclass
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await client.query(`set session_replication_role = replica`)
  await client.query(`set maintenance_work_mem = '1GB'`)
  try {
    await load()
  } finally {
    await client.query(`set session_replication_role = origin`)
    for (const { definition } of rows) await client.query(definition)
  }
}
