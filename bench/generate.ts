import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { addVehicles, withoutIndexes } from './vehicles.ts'

/** The address of the embedded database in a home folder, read from its files. */
export async function connectionOf(
  home: string,
): Promise<{ host: string; port: number; postgresPassword: string; loginPassword: string }> {
  const [, , , port, socketFolder, host] = (
    await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')
  ).split('\n')
  const read = async (name: string) => (await readFile(join(home, name), 'utf8')).trim()
  return {
    host: socketFolder !== undefined && socketFolder !== '' ? socketFolder : (host ?? '127.0.0.1'),
    port: Number(port),
    postgresPassword: await read('postgres-password'),
    loginPassword: await read('database-login'),
  }
}

/** Runs work as the database owner while the product is running. */
export async function asOwner<T>(home: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { host, port, postgresPassword } = await connectionOf(home)
  const client = new pg.Client({
    host,
    port,
    user: 'postgres',
    password: postgresPassword,
    database: 'forecourt',
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** 50 customers with one organization and 200 lots in total, and 200 more lots for the measured dealer. */
const CUSTOMERS = 50
const LOTS_EACH = 4
const OWN_VEHICLES = 20_000
export const TWO_MILLION = 2_000_000

/**
 * Creates the measured data, the same at every run: the dealer of Northgate Ford with 20,000 vehicles (and 200 lots), one
 * skewed rooftop of Harbor with half of all vehicles, and 50 customers with the rest on 200 lots.
 * @param vehicles how many there are in total.
 */
export async function layOut(home: string, vehicles = TWO_MILLION): Promise<void> {
  const half = vehicles / 2
  const perLot = Math.floor((half - OWN_VEHICLES) / (CUSTOMERS * LOTS_EACH))
  await asOwner(home, async (client) => {
    await client.query(
      `with c as (insert into customers (name) select 'Bench ' || n from generate_series(1, $1::int) n returning id),
        o as (insert into organizations (customer_id, name) select id, 'Bench organization' from c returning customer_id, id)
      insert into lots (customer_id, organization_id, code, name, type, address, city)
      select o.customer_id, o.id, 'B' || n, 'Bench lot ' || md5(n::text), (array['new', 'used', 'both', 'service'])[1 + n % 4],
        n || ' Main Street', 'City ' || n % 17
      from o, generate_series(1, $2::int) n`,
      [CUSTOMERS, LOTS_EACH],
    )
    await client.query(
      `insert into lots (customer_id, organization_id, code, name, type, address, city)
      select o.customer_id, o.id, 'B' || n, 'Bench lot ' || md5(n::text), 'used', n || ' Main Street', 'City ' || n % 17
      from organizations o, generate_series(1, $1::int) n where o.name = any($2::text[])`,
      [CUSTOMERS * LOTS_EACH, ['Northgate Ford', 'Harbor Pre-Owned']],
    )
    const lots = `select l.customer_id, l.organization_id, l.id as lot_id`
    const joined = `from lots l join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id`
    const addAll = async (): Promise<void> => {
      await addVehicles(
        client,
        `${lots}, ${perLot} as vehicles ${joined} where o.name = 'Bench organization'`,
      )
      await addVehicles(
        client,
        `${lots}, ${OWN_VEHICLES / LOTS_EACH} as vehicles ${joined}
        where o.name = 'Northgate Ford' and l.code in ('B1', 'B2', 'B3', 'B4')`,
      )
      await addVehicles(
        client,
        `${lots}, ${half / LOTS_EACH} as vehicles ${joined}
        where o.name = 'Harbor Pre-Owned' and l.code in ('B1', 'B2', 'B3', 'B4')`,
      )
    }
    await withoutIndexes(client, 'vehicles', () => withoutIndexes(client, 'vehicle_prices', addAll))
    // Triggers were off, so row counts and search words have to be written here.
    await client.query(
      `insert into row_counts (customer_id, source, organization_id, rows)
      select v.customer_id, 'vehicles', v.organization_id, count(*) - coalesce((select sum(k.rows) from row_counts k
        where k.customer_id = v.customer_id and k.organization_id = v.organization_id and k.source = 'vehicles'), 0)
      from vehicles v group by 1, 3`,
    )
    await client.query(`set work_mem = '1GB'`)
    await withoutIndexes(client, 'search_words', () =>
      client.query(
        `insert into search_words (customer_id, kind, word, record_id, organization_id)
      select distinct r.customer_id, r.kind, left(f.word, 100), r.record_id, r.organization_id
      from search.records r cross join lateral (
        select word from search.words_of(r.texts)
        union all select fold_case(w) from unnest(r.whole) w where w <> ''
      ) f
      where r.kind = 'vehicle' and r.customer_id in (
        select o.customer_id from organizations o where o.name like any (array['Harbor %', 'Northgate %']))
      on conflict do nothing`,
      ),
    )
    await client.query('vacuum analyze')
  })
}
