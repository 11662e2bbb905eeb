import { sql } from 'kysely'
import type pg from 'pg'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { photoUrl } from '../fetch-photo.ts'
import { makeHostsDue, photoScope } from './photo-hosts.ts'
import { sha256 } from './photo-store.ts'

/** Vehicles per transaction, and transactions of a customer before the next one has its turn. */
const AT_ONCE = 200
const BATCHES = 25
const WRONG_ADDRESS = "Its address can't be used. It must begin with https://."

/** Whether vehicles changed, so that `notePhotoUses` has something to do. */
export async function hasPhotoRequests(queue: pg.Pool): Promise<boolean> {
  const { rows } = await queue.query('select from photo_requests limit 1')
  return rows.length > 0
}

/**
 * Notes which addresses published vehicles name now, after changes that requested it in their own transaction: new addresses become
 * due, and those that none names anymore are kept for a while. Some batches of each customer in turn.
 */
export async function notePhotoUses(queue: pg.Pool, pool: pg.Pool): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- Before each round: other customers have changed something since.
    const { rows } = await queue.query<{ id: string }>(
      'select distinct customer_id as id from photo_requests order by 1',
    )
    if (rows.length === 0) return
    for (const { id } of rows)
      for (let batch = 0; batch < BATCHES; batch += 1)
        // oxlint-disable-next-line no-await-in-loop -- One batch at a time.
        if (!(await inTenant(pool, photoScope(id), (db) => noteNext(db, id)))) break
  }
}

/** @returns whether there may be more */
async function noteNext(db: Database, customerId: string): Promise<boolean> {
  // A change that commits later has a request of its own.
  const { rows } = await sql<{ id: string }>`
    with taken as (delete from photo_requests where customer_id = ${customerId} and id in (
      select id from photo_requests where customer_id = ${customerId} order by id limit ${sql.lit(AT_ONCE)})
      returning vehicle_id)
    select distinct vehicle_id::text as id from taken`.execute(db)
  const vehicleIds = rows.map(({ id }) => id)
  if (vehicleIds.length === 0) return false
  const named = await readNamed(db, customerId, vehicleIds)
  await addCopies(db, customerId, named)
  const uses = JSON.stringify(named.map(({ vehicleId, key }) => ({ vehicle_id: vehicleId, key })))
  await sql`insert into photo_uses (customer_id, vehicle_id, key)
    select distinct ${customerId}::bigint, n.vehicle_id, n.key from json_to_recordset(${uses}::json) as n (vehicle_id bigint, key text)
    on conflict do nothing`.execute(db)
  const { rows: gone } = await sql<{ key: string }>`delete from photo_uses u
    where u.customer_id = ${customerId} and u.vehicle_id = any(${vehicleIds}::bigint[])
      and not exists (select from json_to_recordset(${uses}::json) as n (vehicle_id bigint, key text)
        where n.vehicle_id = u.vehicle_id and n.key = u.key)
    returning u.key`.execute(db)
  await sql`update photo_copies c set unused_since = app_now() where c.customer_id = ${customerId}
    and c.key = any(${gone.map(({ key }) => key)}::text[]) and c.unused_since is null
    and not exists (select from photo_uses u where u.customer_id = c.customer_id and u.key = c.key)`.execute(
    db,
  )
  return true
}

type Named = { vehicleId: string; key: string; place: string; position: number }

/** The addresses that these vehicles name, if they are published. */
async function readNamed(db: Database, customerId: string, vehicleIds: readonly string[]): Promise<Named[]> {
  const { rows } = await sql<Omit<Named, 'key'>>`
    select v.id::text as vehicle_id, p.photo ->> 'place' as place, p.position::int
    from vehicles v join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    cross join lateral jsonb_array_elements(v.photos) with ordinality as p (photo, position)
    where v.customer_id = ${customerId} and v.id = any(${vehicleIds}::bigint[]) and v.publishable and l.is_visible
      and p.photo ->> 'kind' = 'address'`.execute(db)
  return rows.map((row) => ({ ...row, key: sha256(row.place) }))
}

/** Adds addresses that are new, and makes those due that were not named for a while. */
async function addCopies(db: Database, customerId: string, named: readonly Named[]): Promise<void> {
  const first = new Map<string, Named>()
  for (const one of named.toSorted((a, b) => a.position - b.position))
    if (!first.has(one.key)) first.set(one.key, one)
  const copies = [...first.values()].map(({ key, place, position }) => {
    const host = photoUrl(place)?.host ?? null
    return { key, place, position, host: host ?? '', problem: host === null ? WRONG_ADDRESS : null }
  })
  // The first photos of all vehicles come before the second ones: lists show them.
  const { rows } = await sql<{ host: string }>`
    insert into photo_copies as c (customer_id, key, place, host, problem, failures, next_at)
    select ${customerId}, n.key, n.place, n.host, n.problem, (n.problem is not null)::int,
      case when n.problem is null then app_now() - interval '1 hour' + n.position * interval '1 second' else 'infinity' end
    from json_to_recordset(${JSON.stringify(copies)}::json) as n (key text, place text, host text, problem text, position int)
    on conflict (customer_id, key) do update set unused_since = null
    where c.unused_since is not null
    returning c.host`.execute(db)
  const hosts = new Set(rows.map(({ host }) => host))
  hosts.delete('')
  await makeHostsDue(db, customerId, [...hosts])
}
