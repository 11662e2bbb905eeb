import { readsBuyers } from '#contract/leads/people/reads-buyers.ts'
import { sql } from 'kysely'
import {
  type DeliveryState,
  LEAD_DELIVERY_LIST,
  LeadDelivery,
  type leadDeliveries,
  LeadDeliveryRecord,
  MAX_REPLAYED,
} from '#contract/leads/deliveries/lead-deliveries.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import type { Outbox } from '#server/mail/index.ts'
import { readDeliveryContent } from './delivery-content.ts'

const column = (name: string) => ({ value: sql.ref(`d.${name}`) })
/** A lease that expired belongs to a server that stopped while it was sending. Its delivery is in doubt until it is repeated. */
const shownState = sql`case when d.state = 'sending' and d.leased_until <= app_clock_timestamp() then 'in-doubt' else d.state end`
const leadName = sql`coalesce(p.name, nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.email, p.phone)`

/** The deliveries within reach, with the people of their leads. */
export const leadDeliverySource: ListSource<keyof typeof LEAD_DELIVERY_LIST.fields> = {
  list: LEAD_DELIVERY_LIST,
  from: sql`lead_deliveries d left join leads l on l.customer_id = d.customer_id and l.id = d.lead_id
    left join people p on p.customer_id = l.customer_id and p.id = l.person_id`,
  table: sql`lead_deliveries d`,
  within: (actor) => sql`d.customer_id = ${actor.customerId}`,
  id: sql`d.id`,
  title: sql`d.destination_name`,
  fields: {
    leadName: { value: leadName, joins: 'value' },
    destinationName: { ...column('destination_name'), isNeverNull: true },
    kind: { ...column('kind'), isNeverNull: true },
    state: { value: shownState, isNeverNull: true },
    attempts: { ...column('attempts'), isNeverNull: true },
    doubts: { ...column('doubts'), isNeverNull: true },
    response: column('response'),
    isTest: { ...column('is_test'), isNeverNull: true },
    createdAt: { ...column('created_at'), isNeverNull: true },
    nextAttemptAt: column('next_attempt_at'),
    finishedAt: column('finished_at'),
  },
  searchJoins: true,
  search: (text) =>
    contains([leadName, sql.ref('p.email'), sql.ref('d.destination_name'), sql.ref('d.response')], text),
}

/** What a user sees who reads no leads. */
const withoutBuyer = <D extends LeadDelivery>(delivery: D): D => ({ ...delivery, leadName: null })

const columns = sql`d.id::text, d.lead_id::text, ${leadName} as lead_name, d.destination_id::text, d.destination_name, d.kind,
  ${shownState} as state, d.is_test, d.attempts, d.doubts, d.response, ${instant(sql`d.created_at`)} as created_at,
  ${instant(sql`d.next_attempt_at`)} as next_attempt_at, ${instant(sql`d.finished_at`)} as finished_at`

/** The deliveries of leads in the caller's reach. `wake`: looks for due deliveries soon. */
export function leadDeliveryHandlers({
  isSending,
  wake,
}: {
  isSending: Outbox['isSending']
  wake: () => void
}): Handlers<typeof leadDeliveries> {
  return {
    async list({ db, actor, input }) {
      const { ids, ...counts } = await readPage(db, actor, leadDeliverySource, input)
      const { rows } = await sql<LeadDelivery>`select ${columns} from ${leadDeliverySource.from}
        where d.customer_id = ${actor.customerId} and ${isOneOf(leadDeliverySource, ids)}`.execute(db)
      const results = inOrder(ids, LeadDelivery.array().parse(rows))
      return { ...counts, results: readsBuyers(actor) ? results : results.map(withoutBuyer) }
    },

    async get({ db, actor, input }) {
      const found = await readDelivery(db, input.id)
      return readsBuyers(actor) ? found : withoutBuyer(found)
    },

    content: ({ db, input }) => readDeliveryContent(db, input.id),

    async replay({ db, actor, input }) {
      await requireReplayable(db, actor, { id: input.id, isSending })
      await replayDeliveries(db, actor.customerId, [input.id])
      wake()
      return readDelivery(db, input.id)
    },

    async replayMany({ db, actor: { customerId }, input: { ids, destinationId } }) {
      const isSendingEmail = await isSending(db, customerId)
      const chosen =
        ids === undefined
          ? sql`d.destination_id = ${destinationId ?? null} and d.state in ('failed', 'in-doubt') and not d.is_test
              and d.created_at > app_now() - interval '30 days'`
          : sql`d.id = any(${[...ids]}::bigint[])`
      const { rows } = await sql<{ id: string; isReplayable: boolean }>`
        select d.id::text, d.state not in ('queued', 'sending') and d.destination_id is not null
          and (d.kind = 'webhook' or ${isSendingEmail}) as is_replayable
        from lead_deliveries d where d.customer_id = ${customerId} and ${chosen} order by d.id limit ${MAX_REPLAYED}`.execute(
        db,
      )
      const replayable = rows.flatMap(({ id, isReplayable }) => (isReplayable ? [id] : []))
      const replayed = await replayDeliveries(db, customerId, replayable)
      wake()
      // Deliveries out of reach are skipped like those that don't exist.
      return { replayed, skipped: (ids === undefined ? rows.length : new Set(ids).size) - replayed }
    },
  }
}

/** @throws Failure 404, or 409 if the delivery isn't finished or can't be sent. */
async function requireReplayable(
  db: Database,
  { customerId }: Member,
  { id, isSending }: { id: string; isSending: Outbox['isSending'] },
): Promise<void> {
  const { rows } = await sql<{ state: DeliveryState; kind: string; destinationId: string | null }>`
    select state, kind, destination_id::text from lead_deliveries where id = ${id}`.execute(db)
  const [delivery] = rows
  if (delivery === undefined) throw notFound('Delivery')
  const { state, kind, destinationId } = delivery
  if (state === 'queued' || state === 'sending') throw conflict('This delivery is already being sent.')
  if (destinationId === null) throw conflict('Its destination was deleted.')
  if (kind !== 'webhook' && !(await isSending(db, customerId))) {
    throw conflict("Emails aren't going out. Add an email handler to send them.")
  }
}

/**
 * Makes finished deliveries due again, with their IDs. One by email is the same email again, or a new one with the same
 * Message-ID if the destination has another address now. @returns how many.
 */
async function replayDeliveries(db: Database, customerId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const chosen = sql`d.customer_id = ${customerId} and d.id = any(${[...ids]}::bigint[])`
  // The order in which the mailer locks them: first the email, then its delivery.
  await sql`select from outbox_mails m join lead_deliveries d on d.customer_id = m.customer_id and d.mail_id = m.id
    where ${chosen} order by m.id for update of m`.execute(db)
  const { rows } = await sql<{ mailId: string | null }>`
    update lead_deliveries d set state = 'queued', attempts = 0, response = null, next_attempt_at = app_now(), finished_at = null,
      is_settled = false, last_outcome = null, mail_id = (select m.id from outbox_mails m
        where m.customer_id = d.customer_id and m.id = d.mail_id and m.to_email = t.to_email)
    from lead_destinations t where ${chosen} and d.state not in ('queued', 'sending')
      and t.customer_id = d.customer_id and t.id = d.destination_id
    returning d.mail_id::text`.execute(db)
  const mailIds = rows.flatMap(({ mailId }) => mailId ?? [])
  await sql`update outbox_mails set state = 'waiting', attempts = 0, error = null, outcome = null, next_attempt_at = app_now()
    where customer_id = ${customerId} and id = any(${mailIds}::bigint[])`.execute(db)
  return rows.length
}

/** @throws Failure 404 */
async function readDelivery(db: Database, id: string): Promise<LeadDeliveryRecord> {
  const { rows } = await sql<LeadDeliveryRecord>`
    select ${columns}, d.key, d.mail_id::text, (select coalesce(jsonb_agg(jsonb_build_object('number', a.number,
        'startedAt', ${instant(sql`a.started_at`)}, 'endedAt', ${instant(sql`a.ended_at`)}, 'status', a.status, 'response', a.response,
        'outcome', case when a.outcome = 'sending' and d.leased_until <= app_clock_timestamp() then 'in-doubt' else a.outcome end)
        order by a.number desc), '[]') from lead_delivery_attempts a where a.customer_id = d.customer_id and a.delivery_id = d.id) as log
    from ${leadDeliverySource.from} where d.id = ${id}`.execute(db)
  const [delivery] = rows
  if (delivery === undefined) throw notFound('Delivery')
  return LeadDeliveryRecord.parse(delivery)
}
