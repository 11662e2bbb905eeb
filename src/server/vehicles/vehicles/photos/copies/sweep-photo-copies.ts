import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { removeUnused } from './copy-photo.ts'
import { makeHostsDue, photoScope } from './photo-hosts.ts'
import type { PhotoStore } from './photo-store.ts'
import { forgetUnused } from './photo-worker.ts'

/** How long a copy is kept that no published vehicle shows: the vehicle may come back. */
const KEPT_DAYS = 90
const AT_ONCE = 500

type Parts = { iam: Kysely<DB>; pool: pg.Pool; store: PhotoStore }

/**
 * Removes copies that no published vehicle has shown for 90 days, or whose customer was closed 90 days ago, and everything of customers
 * that do not exist anymore.
 */
export async function sweepPhotoCopies({ iam, pool, store }: Parts): Promise<void> {
  const customers = await iam.selectFrom('customers').select(['id', 'status']).execute()
  const known = new Set(customers.map(({ id }) => id))
  for (const owner of await store.owners())
    // oxlint-disable-next-line no-await-in-loop -- One customer at a time.
    if (!known.has(owner)) await store.removeAll(owner)
  for (const { id, status } of customers) {
    const within = <T>(work: (db: Database) => Promise<T>): Promise<T> => inTenant(pool, photoScope(id), work)
    // oxlint-disable-next-line no-await-in-loop -- One customer at a time.
    if (status === 'closed') await within((db) => dropUses(db, id))
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- One batch at a time.
      const { count, contents } = await within((db) =>
        forgetUnused(db, id, { days: KEPT_DAYS, most: AT_ONCE }),
      )
      // oxlint-disable-next-line no-await-in-loop -- One batch at a time.
      await removeUnused({ customerId: id, store, within }, contents)
      if (count < AT_ONCE) break
    }
  }
}

/** Nothing of a closed customer is published. When it is opened again, its vehicles are looked at again. */
async function dropUses(db: Database, customerId: string): Promise<void> {
  await db.deleteFrom('photoUses').where('customerId', '=', customerId).execute()
  await sql`update photo_copies set unused_since = app_now()
    where customer_id = ${customerId} and unused_since is null`.execute(db)
}

/**
 * Compares what is stored with the rows: copies that a restore or someone else removed are made again, and what a killed server
 * left without a row is removed.
 */
export async function checkPhotoCopies({ iam, pool, store }: Parts): Promise<void> {
  const customers = await iam.selectFrom('customers').select('id').execute()
  for (const { id } of customers) {
    const within = <T>(work: (db: Database) => Promise<T>): Promise<T> => inTenant(pool, photoScope(id), work)
    // oxlint-disable-next-line no-await-in-loop -- Rows before files: a photo is stored before its row is written.
    const { rows } = await within((db) =>
      sql<{ content: string }>`select distinct content from photo_copies
        where customer_id = ${id} and content is not null`.execute(db),
    )
    // oxlint-disable-next-line no-await-in-loop -- One customer at a time.
    const stored = await store.list(id)
    const missing = rows.filter(({ content }) => !stored.has(content)).map(({ content }) => content)
    // oxlint-disable-next-line no-await-in-loop -- One customer at a time.
    await within((db) => makeAgain(db, id, missing))
    const known = new Set(rows.map(({ content }) => content))
    for (const content of stored)
      // oxlint-disable-next-line no-await-in-loop -- Few.
      if (!known.has(content) && (await store.isOld(id, content)))
        await removeUnused({ customerId: id, store, within }, [content])
  }
}

/** Makes copies due whose photos are not stored anymore. */
export async function makeAgain(
  db: Database,
  customerId: string,
  contents: readonly string[],
): Promise<void> {
  if (contents.length === 0) return
  const { rows } = await sql<{ host: string }>`
    update photo_copies set content = null, bytes = null, etag = null, last_modified = null, next_at = app_now()
    where customer_id = ${customerId} and content = any(${contents}::text[]) returning host`.execute(db)
  await makeHostsDue(db, customerId, [...new Set(rows.map(({ host }) => host))])
}
