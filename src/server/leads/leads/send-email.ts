import { sql } from 'kysely'
import { channelPermissions } from '#contract/leads/consents/consents.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import type { Outbox } from '#server/mail/index.ts'
import { ownUserId } from './assign-lead.ts'
import { noteLeadEvents } from './lead-events.ts'
import type { LockedLead } from './lock-lead.ts'
import { readConsents } from './read-lead.ts'

/** Queues an email of a user to the buyer and adds it to the conversation. @throws Failure 409 if the buyer can't be emailed. */
export async function sendLeadEmail(
  db: Database,
  lead: LockedLead,
  { actor, outbox, subject, text }: { actor: Member; outbox: Outbox; subject: string; text: string },
): Promise<void> {
  const { rows } = await sql<{ name: string | null; email: string | null; fromEmail: string | null }>`
    select p.name, p.email, (select h.from_email from email_handlers h where h.customer_id = p.customer_id and h.is_default) as from_email
    from people p where p.id = ${lead.personId}`.execute(db)
  const [person] = rows
  const permission = channelPermissions(await readConsents(db, lead.personId), {
    hasEmail: person?.email != null,
    hasPhone: false,
  }).find(({ channel }) => channel === 'email')
  const reason = permission?.reason ?? null
  if (reason !== null || person?.email == null) throw conflict(reason ?? 'There is no email address.')
  const mailId = await outbox.put(db, {
    customerId: actor.customerId,
    organizationId: lead.organizationId,
    userId: null,
    toName: person.name ?? person.email,
    toEmail: person.email,
    subject,
    text: `${text}\n`,
    hasSecret: false,
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
      mailId,
      byUserId: ownUserId(actor),
      byName: actor.effectiveFullName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await noteLeadEvents(db, lead, [{ kind: 'message-out', data: { messageId: message.id } }])
}
