import { sql } from 'kysely'
import type { ReceivedMessage } from '#contract/leads/inbound/inbound-messages.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'
import { giveFilesToLeads, noteFiles } from './keep-files.ts'
import { decideOutcome, type InboundContent, type Outcome, type ReceivingAddress } from './inbound-outcome.ts'

/** What arrived, as read by the thread. */
export type Arrived = InboundContent &
  Readonly<{
    contentHash: string
    contentType: string
    /** The whole text as received. */
    raw: string
    encoding: string | null
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
  await lockAddress(db, address)
  const known = await findRepeated(db, address, arrived)
  if (known !== null) return known
  const outcome = await decideOutcome(db, address, arrived)
  const received = arrived.receivedAt !== undefined && { receivedAt: arrived.receivedAt.toISOString() }
  const { id: sourceId } = await db
    .insertInto('leadSources')
    .values({
      organizationId: address.organizationId,
      contentType: arrived.contentType,
      raw: arrived.raw,
      warnings: JSON.stringify(outcome.warnings),
      fromEmail: arrived.mail?.fromEmail ?? null,
      ...received,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: messageId } = await db
    .insertInto('inboundMessages')
    .values({
      organizationId: address.organizationId,
      addressId: address.id,
      sourceId,
      kind: arrived.mail === null ? 'adf' : 'email',
      state: outcome.state,
      reason: outcome.reason,
      automatic: outcome.automatic ?? null,
      contentHash: arrived.contentHash,
      webhookId: arrived.mail?.postmarkId ?? null,
      messageId: arrived.mail?.messageId ?? null,
      subject: arrived.mail?.subject ?? null,
      encoding: arrived.encoding,
      isTest: arrived.isTest,
      ...received,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await noteFiles(db, { sourceId, organizationId: address.organizationId }, arrived.files)
  const leads = await actOn(db, outcome, { messageId, sourceId, organizationId: address.organizationId })
  return {
    messageId,
    state: outcome.state,
    isRepeated: false,
    leads,
    reason: outcome.reason,
    warnings: sentencesOf(outcome),
  }
}

type StoredMessage = { id: string; sourceId: string; organizationId: string }

/** Decides again about a stored message. @throws Failure 409 if it became a lead in the meantime */
export async function decideAgain(
  db: Database,
  address: ReceivingAddress,
  of: { message: StoredMessage; content: InboundContent; correctedText: string | null; by: string },
): Promise<void> {
  await lockAddress(db, address)
  const { message, content, correctedText, by } = of
  const outcome = await decideOutcome(db, address, content)
  const { numUpdatedRows } = await db
    .updateTable('inboundMessages')
    .set({
      state: outcome.state,
      reason: outcome.reason,
      reviewedBy: by,
      ...(content.mail !== null && { kind: 'email', subject: content.mail.subject }),
      ...(correctedText !== null && { correctedText }),
    })
    .where('id', '=', message.id)
    .where('state', 'in', ['quarantined', 'ignored'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict('This message is already a lead.')
  await db
    .updateTable('leadSources')
    .set({
      warnings: JSON.stringify(outcome.warnings),
      ...(content.mail !== null && { fromEmail: content.mail.fromEmail }),
    })
    .where('id', '=', message.sourceId)
    .execute()
  await actOn(db, outcome, {
    messageId: message.id,
    sourceId: message.sourceId,
    organizationId: message.organizationId,
  })
}

/** One message of an address after another, so that the same one twice at a time is one. */
async function lockAddress(db: Database, { customerId, id }: ReceivingAddress): Promise<void> {
  const key = `inbound message ${customerId} ${id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db)
}

/** Counts and returns the earlier message with the same content, webhook or Message-ID. */
async function findRepeated(
  db: Database,
  address: ReceivingAddress,
  { contentHash, mail }: Arrived,
): Promise<ReceivedMessage | null> {
  const { rows } = await sql<Pick<ReceivedMessage, 'messageId' | 'state' | 'reason' | 'warnings'>>`
    update inbound_messages m set repeats = repeats + 1, last_repeated_at = app_now()
    where m.id = (select id from inbound_messages where address_id = ${address.id} and (
        (content_hash = ${contentHash} and received_at > app_now() - ${SAME_WITHIN}::interval)
        or webhook_id = ${mail?.postmarkId ?? null} or message_id = ${mail?.messageId ?? null})
      order by id limit 1)
    returning m.id::text as message_id, m.state, m.reason, array(select distinct w ->> 'message' from lead_sources s,
      jsonb_array_elements(s.warnings) w where s.customer_id = m.customer_id and s.id = m.source_id) as warnings`.execute(
    db,
  )
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

async function actOn(
  db: Database,
  outcome: Outcome,
  { messageId, sourceId, organizationId }: { messageId: string; sourceId: string; organizationId: string },
): Promise<ReceivedMessage['leads']> {
  const leads = await outcome.act(sourceId)
  if (leads.length === 0) return leads
  await giveFilesToLeads(db, sourceId, leads)
  await db
    .insertInto('inboundMessageLeads')
    .values(leads.map(({ id, isNew }, place) => ({ organizationId, messageId, place, leadId: id, isNew })))
    .execute()
  return leads
}

const sentencesOf = ({ warnings }: Outcome): string[] => [...new Set(warnings.map(({ message }) => message))]
