import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { FEED_COLUMNS } from './feed-file.ts'

/** The lot that gets the vehicles, by its IDs. */
type Target = { table: string; customerId: string; organizationId: string; lotId: string }

/**
 * Loads a feed with COPY into a bare table, and from there into a table with the columns and indexes of vehicles. This is the
 * least that an import can cost: nothing is mapped, decoded, compared or recorded.
 * @returns milliseconds of the COPY alone, and of both steps.
 */
export async function plainInsert(
  client: pg.Client,
  path: string,
  { table, customerId, organizationId, lotId }: Target,
): Promise<{ copyMs: number; insertMs: number }> {
  const columns = FEED_COLUMNS.map((name) => `"${name}" text`)
  await client.query(`create table bench_copied (${columns.join(', ')})`)
  try {
    const begun = performance.now()
    const copy = copyFrom(`copy bench_copied from stdin (format csv, header)`)
    await pipeline(createReadStream(path), client.query(copy))
    const copyMs = performance.now() - begun
    await client.query(
      `insert into ${table} (customer_id, organization_id, lot_id, vin, stock, year, make, model, trim,
        body, color, mileage, price_cents, msrp_cents, fuel, transmission, drivetrain, description, photos)
      select $1::bigint, $2::bigint, $3::bigint, "VIN", "Stock Number", "Year"::int, "Make", "Model", "Trim", "Body",
        "Exterior Color", "Mileage"::int, "Price"::int * 100, "MSRP"::int * 100, "Fuel Type", "Transmission", "Drivetrain",
        "Description", to_jsonb(string_to_array("Photo URLs", '|'))
      from bench_copied`,
      [customerId, organizationId, lotId],
    )
    return { copyMs, insertMs: performance.now() - begun }
  } finally {
    await client.query('drop table if exists bench_copied')
  }
}

/** The same into the table of vehicles itself, without its triggers, rolled back afterwards. @returns milliseconds */
export async function plainInsertIntoVehicles(
  client: pg.Client,
  path: string,
  lotId: string,
): Promise<number> {
  const { rows } = await client.query<{ customerId: string; organizationId: string }>(
    'select customer_id as "customerId", organization_id as "organizationId" from lots where id = $1',
    [lotId],
  )
  const [lot] = rows
  if (lot === undefined) throw new Error('The lot was not found.')
  await client.query('begin')
  try {
    await client.query('set local session_replication_role = replica')
    const { insertMs } = await plainInsert(client, path, { table: 'vehicles', ...lot, lotId })
    return insertMs
  } finally {
    await client.query('rollback')
  }
}
