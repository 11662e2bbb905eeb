import { sql } from 'kysely'
import type { AdfLead } from '#contract/leads/adf/adf-lead.ts'
import type { InboundMessage, ReceivedMessage } from '#contract/leads/inbound/inbound-addresses.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { ParsedAdf } from '../adf/parse-adf.ts'
import type { ReadMail } from '../adf/read-mail.ts'
import { receiveLead } from '../leads/receive-lead.ts'
import { leadOfAdf } from './lead-of-adf.ts'

/** The address that something was sent to. */
export type ReceivingAddress = Readonly<{
  id: string
  customerId: string
  organizationId: string
  sourceName: string
  lotId: string | null
  distanceUnit: 'mi' | 'km'
}>

/** What arrived, as read by the thread. */
export type Arrived = Readonly<{
  contentHash: string
  contentType: string
  /** The whole text as received. */
  raw: string
  encoding: string | null
  mail: ReadMail | null
  adf: ParsedAdf | null
  /** Set if it couldn't be read at all. */
  failure: string | null
}>

/** The same content within this time is the same message. */
const SAME_WITHIN = '24 hours'

/**
 * Stores a message with its text, and the leads or the reply that it is, in one transaction. The same message again adds
 * nothing and returns the same leads.
 */
export async function storeInbound(
  db: Database,
  address: ReceivingAddress,
  arrived: Arrived,
): Promise<ReceivedMessage> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`inbound message ${address.customerId} ${address.id}`}, 0))`.execute(
    db,
  )
  const known = await findRepeated(db, address, arrived)
  if (known !== null) return known
  const outcome = await decide(db, address, arrived)
  const sourceId = await addSource(db, address, { arrived, warnings: outcome.warnings })
  const { id: messageId } = await db
    .insertInto('inboundMessages')
    .values({
      organizationId: address.organizationId,
      addressId: address.id,
      sourceId,
      kind: arrived.mail === null ? 'adf' : 'email',
      state: outcome.state,
      reason: outcome.reason,
      contentHash: arrived.contentHash,
      webhookId: arrived.mail?.postmarkId ?? null,
      messageId: arrived.mail?.messageId ?? null,
      subject: arrived.mail?.subject ?? null,
      encoding: arrived.encoding,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const leads = await outcome.act(sourceId)
  await addLeads(db, address, { messageId, leads })
  return { messageId, state: outcome.state, isRepeated: false, leads, reason: outcome.reason }
}

/** Counts and returns the earlier message with the same content, webhook or Message-ID. */
async function findRepeated(
  db: Database,
  address: ReceivingAddress,
  { contentHash, mail }: Arrived,
): Promise<ReceivedMessage | null> {
  const { rows } = await sql<Pick<ReceivedMessage, 'messageId' | 'state' | 'reason'>>`
    update inbound_messages set repeats = repeats + 1, last_repeated_at = app_now()
    where id = (select id from inbound_messages where address_id = ${address.id} and (
        (content_hash = ${contentHash} and received_at > app_now() - ${SAME_WITHIN}::interval)
        or webhook_id = ${mail?.postmarkId ?? null} or message_id = ${mail?.messageId ?? null})
      order by id limit 1)
    returning id::text as message_id, state, reason`.execute(db)
  const [message] = rows
  if (message === undefined) return null
  const leads = await db
    .selectFrom('inboundMessageLeads')
    .select('leadId as id')
    .where('messageId', '=', message.messageId)
    .orderBy('place')
    .execute()
  return { ...message, isRepeated: true, leads: leads.map(({ id }) => ({ id, isNew: false })) }
}

type Leads = ReceivedMessage['leads']
type Warning = { code: string; message: string }
type Outcome = {
  state: InboundMessage['state']
  reason: string | null
  warnings: readonly Warning[]
  /** Adds the leads or the reply once the text is stored. */
  act: (sourceId: string) => Promise<Leads>
}

const nothing = async (): Promise<Leads> => []
const without = (state: 'ignored' | 'quarantined', reason: string): Outcome => ({
  state,
  reason,
  warnings: [],
  act: nothing,
})

async function decide(db: Database, address: ReceivingAddress, arrived: Arrived): Promise<Outcome> {
  const { mail, adf, failure } = arrived
  if (failure !== null) return without('quarantined', failure)
  if (mail !== null && (mail.automatic === 'loop' || (await isOwnEmail(db, mail))))
    return without('ignored', AUTOMATIC.loop)
  if (adf !== null) return ofAdf(db, address, { adf, mail })
  if (mail === null) return without('quarantined', 'This is neither an ADF document nor an email.')
  if (mail.automatic !== null) return without('ignored', AUTOMATIC[mail.automatic])
  return ofPlainEmail(db, address, mail)
}

const AUTOMATIC = {
  loop: 'This email was sent by this product or is part of a mail loop.',
  autoSubmitted: 'This is an automatic reply or notice, so it is not a lead.',
  bulk: 'This email was sent to a mailing list, so it is not a lead.',
  bounce: 'This email says that another one could not be delivered, so it is not a lead.',
} as const

/** An email of a conversation that came back to us. */
async function isOwnEmail(db: Database, { messageId }: ReadMail): Promise<boolean> {
  if (messageId === null) return false
  const own = await db
    .selectFrom('leadMessages')
    .select('id')
    .where('direction', '=', 'out')
    .where('messageId', '=', messageId)
    .limit(1)
    .executeTakeFirst()
  return own !== undefined
}

function ofAdf(
  db: Database,
  address: ReceivingAddress,
  { adf, mail }: { adf: ParsedAdf; mail: ReadMail | null },
): Outcome {
  if (adf.kind === 'refused') return without('quarantined', adf.message)
  const { leads, unusable } = adf.document
  const [first] = unusable
  const warnings = [...leads, ...unusable.map(({ lead }) => lead)].flatMap((lead) => lead.warnings)
  if (leads.length === 0)
    return { ...without('quarantined', first?.message ?? 'The document has no lead.'), warnings }
  const left = `${unusable.length} of ${unusable.length + leads.length} leads was left out: ${first?.message ?? ''}`
  return {
    state: 'received',
    reason: unusable.length === 0 ? null : left,
    warnings,
    async act(sourceId) {
      const received: Leads = []
      for (const lead of leads)
        received.push(await receiveAdf(db, address, { lead, sourceId, isMail: mail !== null }))
      return received
    },
  }
}

async function receiveAdf(
  db: Database,
  address: ReceivingAddress,
  { lead, sourceId, isMail }: { lead: AdfLead; sourceId: string; isMail: boolean },
): Promise<Leads[number]> {
  const read = leadOfAdf(lead, address)
  const isOther = await isIdOfOtherPerson(db, address, read)
  const { leadId, isNew } = await receiveLead(db, {
    ...read,
    externalId: isOther ? null : (read.externalId ?? null),
    organizationId: address.organizationId,
    lotId: address.lotId,
    sourceKind: isMail ? 'adf-mail' : 'adf-http',
    sourceName: address.sourceName,
    sourceId,
    warnings: lead.warnings.length,
  })
  return { id: leadId, isNew }
}

/**
 * Whether the provider used this ID before for a person with another email address, phone number and name. Some providers
 * send the same ID with every lead; none of these leads may be lost.
 */
async function isIdOfOtherPerson(
  db: Database,
  { organizationId, sourceName }: ReceivingAddress,
  { externalId, person }: ReturnType<typeof leadOfAdf>,
): Promise<boolean> {
  if (externalId == null) return false
  const name = person.name ?? [person.firstName, person.lastName].filter(Boolean).join(' ')
  const { rows } = await sql<{ isOther: boolean }>`
    select not (coalesce(p.email_key = lower(${person.email ?? null}), false)
      or coalesce(p.phone = ${person.phone ?? null}, false)
      or coalesce(lower(p.name) = lower(${name}), false)) as is_other
    from leads l join people p on p.customer_id = l.customer_id and p.id = l.person_id
    where l.organization_id = ${organizationId} and l.source_key = lower(${sourceName})
      and l.external_id = ${externalId}`.execute(db)
  return rows[0]?.isOther ?? false
}

/** A person's email: a reply to a lead, or a new one. */
async function ofPlainEmail(db: Database, address: ReceivingAddress, mail: ReadMail): Promise<Outcome> {
  return {
    state: 'received',
    reason: attachmentsLeftOut(mail),
    warnings: [],
    async act(sourceId) {
      const { leadId, isNew } = await receiveLead(db, {
        organizationId: address.organizationId,
        lotId: address.lotId,
        type: 'general',
        sourceKind: 'email',
        sourceName: address.sourceName,
        sourceId,
        person: { name: mail.fromName, email: mail.fromEmail },
        comments:
          [mail.subject, mail.text]
            .filter((part) => part !== null)
            .join('\n\n')
            .slice(0, 20_000)
            .toWellFormed() || null,
        externalId: mail.messageId?.slice(0, 300) ?? null,
      })
      return [{ id: leadId, isNew }]
    },
  }
}

function attachmentsLeftOut({ attachments }: ReadMail): string | null {
  if (attachments.length === 0) return null
  const names = attachments.slice(0, 5).map(({ name }) => name)
  return `Attachments are not kept: ${names.join(', ')}${attachments.length > 5 ? ', …' : ''}.`
}

async function addSource(
  db: Database,
  address: ReceivingAddress,
  { arrived, warnings }: { arrived: Arrived; warnings: readonly Warning[] },
): Promise<string> {
  const { id } = await db
    .insertInto('leadSources')
    .values({
      organizationId: address.organizationId,
      contentType: arrived.contentType,
      raw: arrived.raw,
      warnings: JSON.stringify(warnings),
      fromEmail: arrived.mail?.fromEmail ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function addLeads(
  db: Database,
  { organizationId }: ReceivingAddress,
  { messageId, leads }: { messageId: string; leads: Leads },
): Promise<void> {
  if (leads.length === 0) return
  await db
    .insertInto('inboundMessageLeads')
    .values(leads.map(({ id, isNew }, place) => ({ organizationId, messageId, place, leadId: id, isNew })))
    .execute()
}
