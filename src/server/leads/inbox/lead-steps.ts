import { sql } from 'kysely'
import type pg from 'pg'
import { clock } from '#server/clock.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import type { Outbox } from '#server/mail/index.ts'
import { escalateLead, passOnLead } from './assign-lead.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { sendLeadNotices } from './lead-notices.ts'
import { settleAnswers } from './note-response.ts'
import { lockLead } from './lock-lead.ts'

/** Leads of one customer per round; then the next customer has its turn. */
const BATCH = 100

/** Whether a snooze or the time to accept or answer a lead has ended, an email to a buyer was sent or came back, or an owner has to be emailed. Reads with the queue's role, which sees no more. */
export async function hasDueLeadSteps(queue: pg.Pool): Promise<boolean> {
  const { rows } = await queue.query(
    `select from leads where next_step_at <= app_clock_timestamp() union all select from lead_notices
      union all select from lead_mail_checks limit 1`,
  )
  return rows.length > 0
}

type Parts = { queue: pg.Pool; pool: pg.Pool; put: Outbox['put']; base: () => string }

/**
 * Ends snoozes, passes on leads that their owner didn't accept in time, tells managers about those that nobody answered, notes which emails
 * were answers, and has owners emailed. Safe to run at any time, even concurrently: each
 * lead is locked and checked in its own transaction, so that a server that is killed has done a step completely or not at all.
 * One lead that fails doesn't keep the others.
 */
export async function takeDueLeadSteps({ queue, pool, put, base }: Parts): Promise<void> {
  const failed: unknown[] = []
  const { rows } = await queue.query<{ customer_id: string }>(
    `select customer_id::text from (
      select customer_id, next_step_at as at from leads where next_step_at <= app_clock_timestamp()
      union all select customer_id, '-infinity' from lead_notices
      union all select customer_id, '-infinity' from lead_mail_checks) due
    where customer_id <> all((select closed_customers())::bigint[]) group by customer_id order by min(at)`,
  )
  for (const { customer_id: customerId } of rows) {
    const within = <T>(work: (db: Database) => Promise<T>) =>
      inTenant(pool, systemScope(customerId, 'leads.steps'), work)
    // oxlint-disable-next-line no-await-in-loop -- One customer after another.
    for (const id of await within(findDue)) {
      // oxlint-disable-next-line no-await-in-loop -- One lead after another.
      await within((db) => takeStep(db, id)).catch((error: unknown) => failed.push(error))
    }
    // oxlint-disable-next-line no-await-in-loop -- One customer after another.
    for (const id of await within(findChecks)) {
      // oxlint-disable-next-line no-await-in-loop -- One lead after another.
      await within((db) => takeCheck(db, id)).catch((error: unknown) => failed.push(error))
    }
    const send = () => within((db) => sendLeadNotices(db, { customerId, put, base }))
    // oxlint-disable-next-line no-await-in-loop -- Batch by batch, until none is left.
    while ((await send()) > 0);
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Steps of leads failed.')
}

async function findDue(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id::text from leads l where l.next_step_at <= app_now() order by l.next_step_at, l.id limit ${BATCH}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

async function findChecks(db: Database): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select lead_id::text as id from lead_mail_checks order by lead_id limit ${BATCH}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Follows the emails of a lead, unless another server was faster. */
async function takeCheck(db: Database, id: string): Promise<void> {
  const { rows } = await sql`delete from lead_mail_checks where lead_id = (
      select c.lead_id from lead_mail_checks c where c.lead_id = ${id} for update skip locked) returning lead_id`.execute(
    db,
  )
  if (rows.length > 0) await settleAnswers(db, id)
}

/** Does what is due about a lead, unless another server or a user was faster. */
async function takeStep(db: Database, id: string): Promise<void> {
  const { rows } =
    await sql`select from leads where id = ${id} and next_step_at <= app_now() for update skip locked`.execute(
      db,
    )
  if (rows.length === 0) return
  const lead = await lockLead(db, id)
  const isOver = (time: string | null) => time !== null && Date.parse(time) <= clock.now()
  if (isOver(lead.snoozedUntil)) {
    await db.updateTable('leads').set({ snoozedUntil: null }).where('id', '=', id).execute()
    await noteLeadEvents(db, lead, [{ kind: 'woken', byName: null }])
  }
  const isWaiting = lead.ownerId !== null && lead.acceptedAt === null && lead.firstResponseAt === null
  if (isWaiting && lead.outcome === 'open' && isOver(lead.acceptBy))
    await passOnLead(db, lead, { isTimeout: true, text: null })
  if (lead.firstResponseAt === null && lead.escalatedAt === null && isOver(lead.waitsUntil))
    await escalateLead(db, lead)
}
