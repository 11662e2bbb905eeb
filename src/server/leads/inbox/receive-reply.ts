import { sql } from 'kysely'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { addContacts, contactValues, findSenders, useLatestContacts } from '../people/person-contacts.ts'
import { noteOptOut } from '../people/opt-outs.ts'
import { noticeOwner } from './notice-owner.ts'

/** An email that came in at one of the customer's addresses. Message IDs have no angle brackets. */
export type IncomingReply = Readonly<{
  fromEmail: string
  fromName: string | null
  toEmail?: string | null
  subject: string | null
  text: string | null
  /** The part of the address after the plus sign. */
  mailboxHash: string | null
  messageId: string | null
  /** The message IDs it answers, the most likely one first. */
  answered: readonly string[]
  /** Written by a machine, such as an out-of-office notice or a bounce. */
  isAutomatic: boolean
  /** Left out: now. */
  receivedAt?: Date
}>

/** `isNew` is false if the email was added before, or is one of the store's own that came back. */
export type ReceivedReply = Readonly<{ leadId: string; isNew: boolean }>

type AnsweredLead = {
  id: string
  organizationId: string
  snoozedUntil: string | null
  ownerId: string | null
}

/**
 * Adds an answer of a buyer to the conversation of its lead: the one whose reply address it was sent to, otherwise the one
 * with the email that it answers. The lead then waits for an answer, and its snooze ends; not after an automatic reply.
 * Returns null if it answers no lead. Call it with the reach of the whole customer: all organizations share a reply address.
 */
export async function receiveReply(db: Database, mail: IncomingReply): Promise<ReceivedReply | null> {
  const lead = (await findByToken(db, mail.mailboxHash)) ?? (await findByAnswered(db, mail.answered))
  const returned = mail.messageId === null ? null : await findByAnswered(db, [mail.messageId])
  if (returned !== null) return { leadId: returned.id, isNew: false }
  if (lead === null) return null
  const at = (mail.receivedAt ?? clock.date()).toISOString()
  const message = await db
    .insertInto('leadMessages')
    .values({
      organizationId: lead.organizationId,
      leadId: lead.id,
      direction: 'in',
      isAutomatic: mail.isAutomatic,
      at,
      fromName: mail.fromName,
      fromEmail: mail.fromEmail,
      toEmail: mail.toEmail ?? null,
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      messageId: mail.messageId,
      inReplyTo: mail.answered[0] ?? null,
      byName: null,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (message === undefined) return { leadId: lead.id, isNew: false }
  const isWoken = !mail.isAutomatic && lead.snoozedUntil !== null
  await noteLeadEvents(db, lead, [
    { kind: 'message-in', at, byName: null, data: { messageId: message.id } },
    ...(isWoken ? [{ kind: 'woken' as const, at, byName: null, data: { isReply: true } }] : []),
  ])
  if (!mail.isAutomatic) {
    await db
      .updateTable('leads')
      .set({ snoozedUntil: null, unansweredSince: sql`coalesce(unanswered_since, ${at})` })
      .where('id', '=', lead.id)
      .execute()
    await noteAddress(db, lead, { email: mail.fromEmail, at })
    await noteOptOut(db, lead, { text: mail.text, subject: mail.subject, at })
    if (lead.ownerId !== null) await noticeOwner(db, lead, { userId: lead.ownerId, kind: 'reply' })
  }
  return { leadId: lead.id, isNew: true }
}

/** The address that a buyer wrote from is theirs, and the one that they used last. */
async function noteAddress(
  db: Database,
  { id: leadId, organizationId }: AnsweredLead,
  { email, at }: { email: string; at: string },
): Promise<void> {
  const [contact] = contactValues([{ kind: 'email', value: email, label: null }], {
    country: 'US',
    senders: await findSenders(db, organizationId, [email.toLowerCase()]),
  })
  if (contact === undefined || !contact.isMatching) return
  const { rows } = await sql<{ rowId: string; personId: string }>`
    select p.id::text as row_id, coalesce(p.merged_into_id, p.id)::text as person_id
    from leads l join people p on p.customer_id = l.customer_id and p.id = l.person_id where l.id = ${leadId}`.execute(
    db,
  )
  for (const { rowId, personId } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and one row.
    await addContacts(db, { personId: rowId, organizationId, leadId, at }, [contact])
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await useLatestContacts(db, personId)
  }
}

/** The lead of a reply address. Mail servers may change the case of an address. */
async function findByToken(db: Database, token: string | null): Promise<AnsweredLead | null> {
  if (token === null || !/^[0-9a-f]{24}$/i.test(token)) return null
  const { rows } = await sql<AnsweredLead>`
    select l.id::text, l.organization_id::text, l.snoozed_until, l.owner_id::text from leads l
    where l.reply_token = ${token.toLowerCase()} for update`.execute(db)
  return rows[0] ?? null
}

/**
 * The lead with the first of these emails that a user sent. A provider may have replaced the Message-ID; then its own ID is
 * the part before the at sign.
 */
async function findByAnswered(db: Database, ids: readonly string[]): Promise<AnsweredLead | null> {
  const keys = ids.map((id) => id.split('@', 1)[0] ?? '').filter((key) => key !== '')
  if (keys.length === 0) return null
  const { rows } = await sql<AnsweredLead>`
    select l.id::text, l.organization_id::text, l.snoozed_until, l.owner_id::text
    from unnest(${keys}::text[]) with ordinality as answered (key, number)
    join lateral (
      select m.lead_id from lead_messages m where m.direction = 'out' and split_part(m.message_id, '@', 1) = answered.key
      union all
      select m.lead_id from outbox_mails o join lead_messages m on m.customer_id = o.customer_id and m.mail_id = o.id
      where o.message_id = answered.key
    ) sent on true
    join leads l on l.id = sent.lead_id
    order by answered.number limit 1 for update of l`.execute(db)
  return rows[0] ?? null
}
