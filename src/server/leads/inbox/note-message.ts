import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { noteLeadEvents } from '../events/lead-events.ts'

/** Adds an automatic reply to the conversation of a lead. It is never a response to the buyer. */
export async function noteAutomaticReply(
  db: Database,
  leadId: string,
  mail: { mailId: string; toEmail: string; subject: string; text: string },
): Promise<void> {
  const { rows } = await sql<{ id: string; organizationId: string }>`
    insert into lead_messages (organization_id, lead_id, direction, is_automatic, to_email, subject, text, mail_id)
    select l.organization_id, l.id, 'out', true, ${mail.toEmail}, ${mail.subject}, ${mail.text}, ${mail.mailId}
    from leads l where l.id = ${leadId} returning id::text, organization_id::text`.execute(db)
  const [message] = rows
  if (message === undefined) return
  await noteLeadEvents(db, { id: leadId, organizationId: message.organizationId }, [
    { kind: 'auto-reply', byName: null, data: { messageId: message.id } },
  ])
}
