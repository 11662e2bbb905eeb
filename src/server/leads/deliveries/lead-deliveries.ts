import { sql } from 'kysely'
import {
  LEAD_DELIVERY_LIST,
  LeadDelivery,
  type leadDeliveries,
  LeadDeliveryRecord,
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
      return { ...counts, results: inOrder(ids, LeadDelivery.array().parse(rows)) }
    },

    get: ({ db, input }) => readDelivery(db, input.id),

    async replay({ db, actor, input }) {
      await replayDelivery(db, actor, { id: input.id, isSending })
      wake()
      return readDelivery(db, input.id)
    },
  }
}

/**
 * Makes a finished delivery due again. One by email is the same email again, so that its Message-ID stays.
 * @throws Failure 404, or 409 if it isn't finished or can't be sent.
 */
async function replayDelivery(
  db: Database,
  { customerId }: Member,
  { id, isSending }: { id: string; isSending: Outbox['isSending'] },
): Promise<void> {
  const { rows } = await sql<{
    state: string
    kind: string
    mailId: string | null
    destinationId: string | null
  }>`
    select state, kind, mail_id::text, destination_id::text from lead_deliveries where id = ${id} for update`.execute(
    db,
  )
  const [delivery] = rows
  if (delivery === undefined) throw notFound('Delivery')
  const { state, kind, mailId, destinationId } = delivery
  if (state === 'queued' || state === 'sending') throw conflict('This delivery is already on its way.')
  if (destinationId === null) throw conflict('Its destination was deleted.')
  if (kind !== 'webhook' && !(await isSending(db, customerId))) {
    throw conflict("Emails aren't going out. Add an email handler to send them.")
  }
  await sql`update lead_deliveries set state = 'queued', attempts = 0, response = null, next_attempt_at = app_now(),
    finished_at = null, is_settled = false, last_outcome = null where id = ${id}`.execute(db)
  if (mailId === null) return
  await sql`update outbox_mails set state = 'waiting', attempts = 0, error = null, outcome = null, next_attempt_at = app_now()
    where id = ${mailId}`.execute(db)
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
