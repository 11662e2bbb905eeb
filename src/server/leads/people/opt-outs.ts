import { sql } from 'kysely'
import type { StoredAdf } from '#contract/leads/adf/adf-lead.ts'
import { leadDocument } from '#contract/leads/adf/describe-adf.ts'
import type { ContactChannel } from '#contract/leads/consents/consents.ts'
import { consentsInDocument } from '#contract/leads/consents/document-consents.ts'
import { optOutIn } from '#contract/leads/consents/opt-out-words.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type NewLeadEvent, noteLeadEvents } from '../events/lead-events.ts'
import { ownWords } from '../adf/own-words.ts'
import { recordsOfPerson } from './records-of-person.ts'
import { noteConsents, type NewConsent } from '../consents/note-consents.ts'

type Channels = Readonly<{ channels: readonly ContactChannel[]; text: string }>

/** An opt-out is about answers and about marketing. */
export const revoked = (of: Channels): NewConsent[] =>
  (['inquiry', 'marketing'] as const).map((purpose) => ({ ...of, kind: 'revoked', purpose }))

type CameInAs = Readonly<{ comments?: string | null; document?: StoredAdf | null; sourceKind: string }>

/** The opt-outs in what a lead came in as: in the buyer's message, and in elements such as `email_opt_out`. */
export function optOutsOf({ comments, document, sourceKind }: CameInAs): NewConsent[] {
  const said = comments == null || sourceKind === 'manual' ? null : optOutIn(ownWords(comments))
  const sent = document == null ? [] : consentsInDocument(leadDocument(document))
  return [
    ...(said === null ? [] : revoked({ channels: said.channels, text: said.words })),
    ...sent.flatMap(({ kind, channels, words }) =>
      kind === 'revoked' ? revoked({ channels, text: words }) : [],
    ),
  ]
}

/** The person of a lead asked in an email not to be contacted: noted with the words, and nothing that waits is sent anymore. */
export async function noteOptOut(
  db: Database,
  lead: Readonly<{ id: string; organizationId: string }>,
  mail: Readonly<{ text: string | null; subject: string | null; at: string }>,
): Promise<void> {
  const found = optOutIn(ownWords(mail.text ?? ''), mail.subject)
  if (found === null) return
  const { rows } = await sql<{ personId: string }>`
    select coalesce(p.merged_into_id, p.id)::text as person_id
    from leads l join people p on p.customer_id = l.customer_id and p.id = l.person_id where l.id = ${lead.id}`.execute(
    db,
  )
  const [person] = rows
  if (person === undefined) return
  await revokeChannels(
    db,
    { ...person, organizationId: lead.organizationId, leadId: lead.id },
    { channels: found.channels, text: found.words, at: mail.at, byName: null },
  )
}

/** Stores an opt-out, in the timeline of every open lead of the person, and stops emails that wait to be sent. */
export async function revokeChannels(
  db: Database,
  { personId, organizationId, leadId }: { personId: string; organizationId: string; leadId: string | null },
  { channels, text, at, byName }: Channels & { at?: string; byName?: null },
): Promise<void> {
  const consents = revoked({ channels, text }).map((one) => ({ ...one, ...(at !== undefined && { at }) }))
  await noteConsents(db, { personId, organizationId, leadId }, consents)
  if (channels.includes('email')) await keepEmails(db, personId)
  await noteOnOpenLeads(
    db,
    { personId, organizationId },
    {
      kind: 'consent',
      data: { consent: 'revoked', channels: [...channels], text },
      ...(at !== undefined && { at }),
      ...(byName === null && { byName }),
    },
  )
}

/** What was written to the addresses of a buyer and hasn't left yet isn't sent anymore. */
async function keepEmails(db: Database, personId: string): Promise<void> {
  await sql`update outbox_mails m set state = 'failed', next_attempt_at = null, error = 'This person asked not to be emailed.'
    from people p join lead_messages x on x.customer_id = p.customer_id and x.organization_id = p.organization_id
    where p.id = ${personId} and x.direction = 'out' and x.mail_id = m.id and m.customer_id = x.customer_id
      and m.state = 'waiting' and lower(m.to_email) = any (array(select c.value_key from person_contacts c
        where c.person_id = any (${recordsOfPerson(personId)}) and c.kind = 'email'))`.execute(db)
}

/** Notes something in the timelines of a person's leads that aren't sold or lost. */
export async function noteOnOpenLeads(
  db: Database,
  { personId, organizationId }: { personId: string; organizationId: string },
  event: NewLeadEvent,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select l.id::text from leads l
    where l.person_id = any (${recordsOfPerson(personId)}) and l.outcome not in ('sold', 'lost')`.execute(db)
  for (const { id } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await noteLeadEvents(db, { id, organizationId }, [event])
  }
}
