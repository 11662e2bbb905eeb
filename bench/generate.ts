import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import pg from 'pg'

/** Where the embedded database of a home listens, read from its own files. */
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

/** Adds customers with one organization and lots each, the same at every run. */
export async function addCustomers(
  home: string,
  { customers, lotsEach }: { customers: number; lotsEach: number },
): Promise<void> {
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
    await client.query(
      `with c as (insert into customers (name) select 'Bench ' || n from generate_series(1, $1::int) n returning id),
        o as (insert into organizations (customer_id, name) select id, 'Bench organization' from c returning customer_id, id)
      insert into lots (customer_id, organization_id, code, name, type, address, city)
      select o.customer_id, o.id, 'B' || n, 'Bench lot ' || md5(n::text), (array['new', 'used', 'both', 'service'])[1 + n % 4],
        n || ' Main Street', 'City ' || n % 17
      from o, generate_series(1, $2::int) n`,
      [customers, lotsEach],
    )
    // The measured tenant gets as many, so that its list is a real one.
    await client.query(
      `insert into lots (customer_id, organization_id, code, name, type, address, city)
      select o.customer_id, o.id, 'B' || n, 'Bench lot ' || md5(n::text), 'used', n || ' Main Street', 'City ' || n % 17
      from organizations o, generate_series(1, $1::int) n where o.name = 'Northgate Ford'`,
      [lotsEach],
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
