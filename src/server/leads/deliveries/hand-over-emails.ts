import { sql, type Kysely } from 'kysely'
import { DELIVERY_WAITS, FAILOVER_WAITS } from '#contract/leads/deliveries/lead-deliveries.ts'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Outbox } from '#server/mail/index.ts'
import { isOfOpenCustomer } from '#server/queue/lease.ts'
import { readDeliveredLead, sampleLead } from './delivered-lead.ts'
import { leadAdf } from './lead-adf.ts'
import { leadSubject, leadText } from './lead-documents.ts'

/** Emails of one customer in one transaction; then the next customer has its turn. */
const BATCH = 20

type Parts = {
  queue: Kysely<DB>
  put: Outbox['put']
  within: <T>(customerId: string, work: (db: Database) => Promise<T>) => Promise<T>
  isOver: () => boolean
}

/**
 * Puts due deliveries by email into the outbox, which sends them. Each is handed over once: its email and the reference to it
 * are stored in one transaction. From then on, the delivery follows the email in the database (`follow_lead_mail`).
 */
export async function handOverEmails({ queue, put, within, isOver }: Parts): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- Round by round, until none is due.
    const { rows } = await sql<{ customerId: string }>`
      select d.customer_id::text, min(d.next_attempt_at) as since from lead_deliveries d where ${isDue}
        and ${isOfOpenCustomer(sql`d.customer_id`)} group by d.customer_id order by since`.execute(queue)
    let count = 0
    for (const { customerId } of rows) {
      if (isOver()) return
      // oxlint-disable-next-line no-await-in-loop -- One customer after another.
      count += await within(customerId, (db) => handOver(db, customerId, put))
    }
    if (count === 0) return
  }
}

/** In a restored copy they wait, because it may not have the mail server of the original, and would give up what it can't send. */
const isDue = sql<boolean>`d.kind in ('adf', 'email') and d.state = 'queued' and d.mail_id is null and not (select is_restored_copy())
  and d.next_attempt_at <= app_clock_timestamp()
  and (d.is_test or not exists (select from lead_destination_states s where s.customer_id = d.customer_id
    and s.destination_id = d.destination_id and s.stopped_at is not null))`

type Due = {
  id: string
  organizationId: string | null
  leadId: string | null
  kind: 'adf' | 'email'
  key: string
  toEmail: string | null
  name: string
  seller: string
  hasNext: boolean
}

async function handOver(db: Database, customerId: string, put: Outbox['put']): Promise<number> {
  const { rows } = await sql<Due>`
    select d.id::text, d.organization_id::text, d.lead_id::text, d.kind, d.key, t.to_email, d.destination_name as name,
      c.name as seller, cardinality(d.next_destination_ids) > 0 as has_next
    from lead_deliveries d join customers c on c.id = d.customer_id
    left join lead_destinations t on t.customer_id = d.customer_id and t.id = d.destination_id
    where d.customer_id = ${customerId} and ${isDue}
    order by d.next_attempt_at, d.id limit ${BATCH} for update of d skip locked`.execute(db)
  for (const due of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await handOverOne(db, customerId, due, put)
  }
  return rows.length
}

async function handOverOne(db: Database, customerId: string, due: Due, put: Outbox['put']): Promise<void> {
  if (due.toEmail === null) return fail(db, due.id, 'The destination was deleted.')
  const lead =
    due.leadId === null
      ? sampleLead(due.seller, clock.date().toISOString())
      : await readDeliveredLead(db, { id: due.id, leadId: due.leadId })
  const mailId = await put(db, {
    customerId,
    organizationId: due.organizationId,
    userId: null,
    toName: due.name,
    toEmail: due.toEmail,
    subject: leadSubject(lead),
    text: due.kind === 'adf' ? leadAdf(lead, due.key) : leadText(lead),
    hasSecret: false,
    isAboutBuyer: true,
    messageKey: due.key,
    retryWaits: due.hasNext ? FAILOVER_WAITS : DELIVERY_WAITS,
  })
  await sql`update lead_deliveries set mail_id = ${mailId} where id = ${due.id}`.execute(db)
  const { state } = await db
    .selectFrom('outboxMails')
    .select('state')
    .where('id', '=', mailId)
    .executeTakeFirstOrThrow()
  if (state === 'kept') await fail(db, due.id, 'Not sent: this customer sends no email.')
}

async function fail(db: Database, id: string, response: string): Promise<void> {
  await sql`update lead_deliveries set state = 'failed', response = ${response}, next_attempt_at = null,
    finished_at = app_now(), is_settled = false where id = ${id}`.execute(db)
}
