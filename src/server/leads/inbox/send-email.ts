import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, refused } from '#server/http/failure.ts'
import type { Outbox } from '#server/mail/index.ts'
import { messageIdOf } from '#server/outside/smtp.ts'
import { actingUserId } from './assign-lead.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { currentUser } from './lead-source.ts'
import type { LockedLead } from './lock-lead.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'
import { readPermissions } from './read-lead.ts'

type Addresses = {
  name: string | null
  email: string | null
  replyToken: string
  fromEmail: string | null
  /** Of the user who writes, otherwise of the email handler. */
  ownAddress: string | null
  /** Where the customer receives answers. */
  replyAddress: string | null
  /** The Message-ID of the buyer's latest email. */
  answered: string | null
}

/** The address that brings an answer back to its lead: leads@inbound.example becomes leads+TOKEN@inbound.example. */
function replyAddress(address: string, token: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+${token}${address.slice(at)}`
}

/**
 * Queues an email of a user to the buyer and adds it to the conversation. `against`: what the price law has against it, and the user sends
 * it anyway. @throws Failure 409 if the buyer can't be emailed.
 */
export async function sendLeadEmail(
  db: Database,
  lead: LockedLead,
  of: {
    actor: Member
    outbox: Outbox
    subject: string
    text: string
    toEmail: string | null
    against: string
  },
): Promise<void> {
  const { actor, outbox, subject, text, toEmail: chosen, against } = of
  const { rows } = await sql<Addresses>`
    select p.name, case when ${chosen}::text is null then p.email else (select c.value from person_contacts c
        where c.person_id = any (${recordsOfPerson(lead.personId)}) and c.kind = 'email' and c.value_key = lower(${chosen}) limit 1) end as email,
      l.reply_token, h.from_email, coalesce(u.email, h.reply_to, h.from_email) as own_address,
      (select s.reply_address from lead_settings s where s.customer_id = l.customer_id) as reply_address,
      (select m.message_id from lead_messages m where m.customer_id = l.customer_id and m.lead_id = l.id
        and m.direction = 'in' and not m.is_automatic order by m.at desc, m.id desc limit 1) as answered
    from leads l join people p on p.customer_id = l.customer_id and p.id = ${lead.personId}
    left join email_handlers h on h.customer_id = l.customer_id and h.is_default
    left join users u on u.customer_id = l.customer_id and u.id = ${currentUser}
    where l.id = ${lead.id}`.execute(db)
  const [person] = rows
  if (chosen !== null && person?.email == null)
    throw refused('Some fields are invalid.', { toEmail: 'Choose one of the addresses of this buyer.' })
  const permissions = await readPermissions(db, lead.personId, {
    hasEmail: person?.email != null,
    hasPhone: false,
    email: chosen,
  })
  const permission = permissions.find(({ channel }) => channel === 'email')
  const reason = permission?.reason ?? null
  if (reason !== null || person?.email == null) throw conflict(reason ?? 'There is no email address.')
  const messageKey = randomUUID()
  const replyTo =
    person.replyAddress === null ? person.ownAddress : replyAddress(person.replyAddress, person.replyToken)
  const mailId = await outbox.put(db, {
    customerId: actor.customerId,
    organizationId: lead.organizationId,
    userId: null,
    toName: person.name ?? person.email,
    toEmail: person.email,
    subject,
    text: `${text}\n`,
    hasSecret: false,
    isAboutBuyer: true,
    messageKey,
    isPersonal: true,
    fromName: actor.effectiveFullName,
    ...(replyTo !== null && { replyTo }),
    ...(person.answered !== null && { inReplyTo: person.answered }),
  })
  const message = await db
    .insertInto('leadMessages')
    .values({
      organizationId: lead.organizationId,
      leadId: lead.id,
      direction: 'out',
      fromName: actor.effectiveFullName,
      fromEmail: person.fromEmail,
      toEmail: person.email,
      subject,
      text,
      // Without an email handler, the domain is the one of the installation's mail server.
      messageId: person.fromEmail === null ? messageKey : messageIdOf({ key: messageKey }, person.fromEmail),
      inReplyTo: person.answered,
      mailId,
      byUserId: actingUserId(actor),
      byName: actor.fullName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await noteLeadEvents(db, lead, [
    { kind: 'message-out', data: { messageId: message.id, ...(against !== '' && { text: against }) } },
  ])
}
