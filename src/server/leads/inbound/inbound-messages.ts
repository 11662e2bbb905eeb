import { type RawBuilder, sql } from 'kysely'
import {
  INBOUND_PAGE_SIZE,
  type InboundMessage,
  type InboundMessageRecord,
  type inboundMessages,
} from '#contract/leads/inbound/inbound-messages.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Member } from '#server/http/actor.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { readsBuyers } from '#contract/leads/people/reads-buyers.ts'
import { requireBuyers } from '../people/reads-buyers.ts'
import type { AdfThread } from '../adf/adf-thread.ts'
import { readStored } from './receive-inbound.ts'
import { readReceivingAddress } from './receiving-address.ts'
import { decideAgain } from './store-inbound.ts'

const columns = sql`m.id::text, m.address_id::text, a.label as address_label, a.source_name, m.kind, m.state, m.reason, m.automatic,
  s.from_email, m.subject, ${instant(sql`m.received_at`)} as received_at, m.repeats,
  (select count(distinct w ->> 'message')::int from jsonb_array_elements(s.warnings) w) as warnings,
  coalesce((select json_agg(json_build_object('id', l.id::text, 'name', coalesce(p.name, p.email, p.phone),
    'vehicleTitle', l.vehicle_title, 'isNew', ml.is_new) order by ml.place)
    from inbound_message_leads ml join leads l on l.customer_id = ml.customer_id and l.id = ml.lead_id
      join people p on p.customer_id = l.customer_id and p.id = l.person_id
    where ml.customer_id = m.customer_id and ml.message_id = m.id), '[]') as leads`

const from = sql`inbound_messages m
  join inbound_addresses a on a.customer_id = m.customer_id and a.id = m.address_id
  join lead_sources s on s.customer_id = m.customer_id and s.id = m.source_id`

/** Messages to addresses of the caller's organization, or of the whole customer for callers with customer reach. */
export const inboundMessageHandlers = (thread: AdfThread): Handlers<typeof inboundMessages> => ({
  async list({ db, actor, input: { addressId, state, page } }) {
    if (addressId !== undefined) await requireAddress(db, addressId)
    const isMatch: RawBuilder<boolean> = sql`(${addressId ?? null}::bigint is null or m.address_id = ${addressId ?? null})
      and (${state ?? null}::text is null or m.state = ${state ?? null}) and ${isWithinReach(actor)}`
    const { rows: results } = await sql<InboundMessage>`select ${columns} from ${from} where ${isMatch}
      order by m.state = 'quarantined' desc, m.received_at desc, m.id desc
      limit ${INBOUND_PAGE_SIZE} offset ${(page - 1) * INBOUND_PAGE_SIZE}`.execute(db)
    const automatic = sql<boolean>`(${isAutomaticOf(addressId)} and ${isWithinReach(actor)})`
    const { rows } = await sql<{
      rowCount: number
      quarantined: number
      automatic: number
      upTo: string | null
    }>`
      select count(*) filter (where ${isMatch})::int as row_count,
        count(*) filter (where m.state = 'quarantined' and ${isWithinReach(actor)})::int as quarantined,
        count(*) filter (where ${automatic})::int as automatic,
        max(m.id) filter (where ${automatic})::text as up_to from ${from}`.execute(db)
    const [counts] = rows
    if (counts === undefined) throw new Error('The count returned no row.')
    const { upTo, ...others } = counts
    const named = readsBuyers(actor) ? results : results.map(withoutBuyers)
    return { results: named, ...others, automatic: { count: counts.automatic, upTo } }
  },

  get({ db, actor, input: { id } }) {
    requireBuyers(actor)
    return readMessage(db, actor, id)
  },

  async retry({ actor, inTenant, input: { id, text, isInquiry } }) {
    const message = await inTenant(async (db) => {
      const found = await readMessage(db, actor, id)
      if (found.state === 'received' || found.state === 'reply')
        throw conflict('This message is already a lead.')
      return found
    })
    const read = await readStored(thread, actor.customerId, {
      text: text ?? message.correctedText ?? message.raw,
      contentType: message.contentType,
    })
    return inTenant(async (db) => {
      const { sourceId, organizationId, isTest } = await db
        .selectFrom('inboundMessages')
        .select(['sourceId', 'organizationId', 'isTest'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(() => notFound('Message'))
      const address = await readReceivingAddress(db, message.addressId)
      if (address === undefined) throw notFound('Inbound address')
      if (address.isGroup) requireCustomerReach(actor, 'Messages to an address of all stores are reviewed')
      await decideAgain(db, address, {
        message: { id, sourceId, organizationId },
        content: { ...read, files: [], isTest, isInquiry: isInquiry === true },
        correctedText: text === undefined || text === message.raw ? null : text,
        by: actor.effectiveFullName,
      })
      return readMessage(db, actor, id)
    })
  },

  async dismiss({ db, actor, input: { id } }) {
    await readMessage(db, actor, id)
    const dismissed = await db
      .updateTable('inboundMessages')
      .set({ state: 'ignored', reviewedBy: actor.effectiveFullName })
      .where('id', '=', id)
      .where('state', '=', 'quarantined')
      .returning('id')
      .executeTakeFirst()
    const message = await readMessage(db, actor, id)
    if (dismissed === undefined) throw conflict('This message does not need review.')
    return message
  },

  async dismissAutomatic({ db, actor, input: { addressId, upTo } }) {
    if (addressId !== undefined) await requireAddress(db, addressId)
    const { rows } = await sql<{ id: string }>`
      update inbound_messages m set state = 'ignored', reviewed_by = ${actor.effectiveFullName}
      where ${isAutomaticOf(addressId)} and m.id <= ${upTo} returning m.id::text`.execute(db)
    return { count: rows.length }
  },
})

/**
 * SQL: what an address of all stores received is for people of the whole customer, and for those of the organization whose lead it
 * became.
 */
const isWithinReach = ({ reach }: Pick<Member, 'reach'>): RawBuilder<boolean> =>
  reach === 'customer'
    ? sql`true`
    : sql`(not a.is_group or exists (select from inbound_message_leads w join leads own on own.customer_id = w.customer_id and own.id = w.lead_id
        where w.customer_id = m.customer_id and w.message_id = m.id))`

/** What a user sees who reads no leads. */
const withoutBuyers = (message: InboundMessage): InboundMessage => ({
  ...message,
  fromEmail: null,
  subject: null,
  leads: message.leads.map((lead) => ({ ...lead, name: null, vehicleTitle: null })),
})

/** SQL: an automatic email that needs review. */
const isAutomaticOf = (addressId: string | undefined): RawBuilder<boolean> =>
  sql`(m.state = 'quarantined' and m.automatic is not null
    and (${addressId ?? null}::bigint is null or m.address_id = ${addressId ?? null}))`

/** @throws Failure 404 */
async function requireAddress(db: Database, id: string): Promise<void> {
  const found = await db.selectFrom('inboundAddresses').select('id').where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw notFound('Inbound address')
}

/** SQL: whether a message became leads of stores that the user doesn't reach. */
const ofOthers = sql<boolean>`names_other_stores(m.source_id)`
const OF_OTHERS =
  'This message also has leads of other stores. Only people with access to all stores read its text.'

/** @throws Failure 404 */
async function readMessage(
  db: Database,
  actor: Pick<Member, 'reach'>,
  id: string,
): Promise<InboundMessageRecord> {
  const { rows } = await sql<InboundMessageRecord>`
    select ${columns}, case when ${ofOthers} then '' else s.raw end as raw, s.content_type, m.encoding,
      case when not ${ofOthers} then m.corrected_text end as corrected_text, m.reviewed_by,
      (select coalesce(json_agg(json_build_object('name', f.name, 'type', f.type, 'bytes', f.size, 'refusal', f.refusal) order by f.id), '[]')
        from lead_files f where f.customer_id = m.customer_id and f.source_id = m.source_id and not ${ofOthers}) as files,
      array(select distinct w ->> 'message' from jsonb_array_elements(s.warnings) w
        union all select ${OF_OTHERS} where ${ofOthers}) as warning_sentences
    from ${from} where m.id = ${id} and ${isWithinReach(actor)}`.execute(db)
  const [message] = rows
  if (message === undefined) throw notFound('Message')
  return message
}
