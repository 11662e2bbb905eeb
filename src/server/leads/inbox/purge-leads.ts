import { sql } from 'kysely'
import type pg from 'pg'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { eraseLeads, erasePeople } from './erase-leads.ts'
import { purgeQuarantine } from './quarantine-limits.ts'
import { lastContact } from './read-lead.ts'

/** Leads per transaction: short enough that users hardly wait. */
const BATCH = 200

/**
 * Deletes the leads that customers no longer keep, also those in quarantine, and the people who have none left. Safe to run at any time, even
 * concurrently: each batch is one transaction, and what it deleted is gone for the next.
 */
export async function purgeLeads({ queue, pool }: { queue: pg.Pool; pool: pg.Pool }): Promise<void> {
  const { rows } = await queue.query<{ customer_id: string }>(
    'select customer_id::text from lead_settings where keep_months is not null order by 1',
  )
  for (const { customer_id: customerId } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- Batch by batch.
    await inBatches(pool, customerId, purgeBatch)
  }
  const held = await queue.query<{ customer_id: string }>(
    `select customer_id::text from leads where status = 'quarantined'
     union select customer_id::text from form_submissions where state = 'quarantined' order by 1`,
  )
  for (const { customer_id: customerId } of held.rows) {
    // oxlint-disable-next-line no-await-in-loop -- Batch by batch.
    await inBatches(pool, customerId, purgeQuarantine)
  }
}

async function inBatches(
  pool: pg.Pool,
  customerId: string,
  purge: (db: Database) => Promise<number>,
): Promise<void> {
  let count = 1
  while (count > 0) {
    // oxlint-disable-next-line no-await-in-loop -- Batch by batch.
    count = await inTenant(pool, systemScope(customerId, 'leads.purge'), purge)
  }
}

/** Deletes the leads whose last contact is too long ago. @returns how many. */
async function purgeBatch(db: Database): Promise<number> {
  const { rows } = await sql<{ id: string; personId: string }>`
    select l.id::text, l.person_id::text from leads l join lead_settings s on s.customer_id = l.customer_id
    where ${lastContact} + s.keep_months * interval '1 month' < app_now()
    order by l.id limit ${BATCH} for update of l skip locked`.execute(db)
  const count = await eraseLeads(
    db,
    rows.map(({ id }) => id),
  )
  await erasePeople(db, [...new Set(rows.map(({ personId }) => personId))])
  return count
}
