import { sql } from 'kysely'
import type { LeadType, UnfinishedForm } from '#contract/leads/inbox/lead-list.ts'
import type { TradeIn } from '#contract/leads/inbox/leads.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type NewConsent, noteConsents } from '../consents/note-consents.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { addPerson, fillPerson, findPerson, type PersonValues } from '../people/match-person.ts'
import { joinKnown, passOnDetails } from '../people/merge-people.ts'
import { addContacts, type ContactValues, useLatestContacts } from '../people/person-contacts.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'
import { queueDelivery } from '../routing/queue-delivery.ts'
import { eraseLeads, erasePeople } from './erase-leads.ts'
import { readLeadClock, respondBy } from './lead-clock.ts'
import { lockLead } from './lock-lead.ts'

/** What its sender sent later, as `NewLead` has it. */
type Continued = Readonly<{
  type: LeadType
  formId?: string | null
  submissionId?: string | null
  unfinished?: UnfinishedForm | null
  comments?: string | null
  tradeIn?: TradeIn | null
  consents?: readonly NewConsent[]
}>

/**
 * Adds what the sender of an unfinished form sent later to its lead. Once the form is finished, the lead waits for an answer
 * again, and is sent once more to the destinations that got it without the rest.
 * @returns whether the lead was one of this form that was unfinished.
 */
export async function continueLead(
  db: Database,
  lead: Continued,
  { leadId, values, contacts }: { leadId: string; values: PersonValues; contacts: readonly ContactValues[] },
): Promise<boolean> {
  const { formId = null, submissionId = null, unfinished = null, comments = null, tradeIn = null } = lead
  if (formId === null || submissionId === null) return false
  const known = await lockLead(db, leadId)
  const { rows } = await sql<{ ownPersonId: string }>`
    select person_id::text as own_person_id from leads where id = ${leadId} and form_id = ${formId} and unfinished_step is not null`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) return false
  const isFinished = unfinished === null
  const now = clock.date()
  const at = now.toISOString()
  const isAnswered = known.firstResponseAt !== null
  const again = isFinished ? await readSentDestinations(db, leadId) : []
  const personId = await correctPerson(db, known, { ...found, values, contacts, at })
  await db
    .updateTable('leads')
    .set({
      submissionId,
      personId,
      unfinishedStep: unfinished?.step ?? null,
      unfinishedSteps: unfinished?.steps ?? null,
      type: lead.type,
      comments: sql`coalesce(${comments}, comments)`,
      tradeIn: sql`coalesce(${tradeIn === null ? null : JSON.stringify(tradeIn)}::jsonb, trade_in)`,
      ...(isFinished && {
        snoozedUntil: null,
        completedAt: again.length === 0 ? null : at,
        ...(isAnswered
          ? { unansweredSince: sql`coalesce(unanswered_since, ${at})` }
          : { respondBy: respondBy(await readLeadClock(db, known), now).toISOString() }),
      }),
    })
    .where('id', '=', leadId)
    .execute()
  if (personId !== found.ownPersonId) await eraseRow(db, found.ownPersonId)
  if (!isFinished) return true
  const consents = await newConsents(db, leadId, lead.consents ?? [])
  await noteLeadEvents(db, known, [
    { kind: 'completed', byName: null, data: { text: comments ?? '' } },
    ...consents.map(({ kind, purpose, channels, text, textVersion }) => ({
      kind: 'consent' as const,
      byName: null,
      data: { consent: kind, purpose, channels: [...channels], text, version: textVersion ?? null },
    })),
  ])
  await noteConsents(
    db,
    { personId, organizationId: known.organizationId, leadId },
    consents.map((consent) => ({ at, ...consent })),
  )
  for (const destination of again) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and seldom more than two.
    await queueDelivery(db, { lead: known, destination, next: [] })
  }
  return true
}

/** The unfinished lead of the same person, form and vehicle, from another tab or another day. */
export async function findUnfinished(
  db: Database,
  { personId, formId, vehicleId }: { personId: string; formId: string; vehicleId: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id::text from leads where person_id = any (${recordsOfPerson(personId)}) and form_id = ${formId}
      and vehicle_id is not distinct from ${vehicleId} and unfinished_step is not null and not is_test
      and status <> 'quarantined' and outcome in ('open', 'contacted', 'appointment')
      and received_at > app_now() - ${CONTINUED_DAYS} * interval '1 day'
    order by received_at desc, id desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}
const CONTINUED_DAYS = 30

/**
 * Deletes the lead of an unfinished form whose sender said since that they don't want to be contacted, unless someone has
 * answered it. What they sent stays as an unfinished form.
 */
export async function withdrawUnfinished(db: Database, leadId: string): Promise<void> {
  const lead = await lockLead(db, leadId)
  if (lead.firstResponseAt !== null || lead.outcome !== 'open') return
  const { rows } = await sql<{ personId: string }>`
    update leads set submission_id = null where id = ${leadId} and unfinished_step is not null
    returning person_id::text`.execute(db)
  const [found] = rows
  if (found === undefined) return
  await eraseLeads(db, [leadId])
  await erasePeople(db, [found.personId])
}

/** Without those that came with a former step. */
async function newConsents(
  db: Database,
  leadId: string,
  consents: readonly NewConsent[],
): Promise<NewConsent[]> {
  const noted = await db
    .selectFrom('consentEvents')
    .select(['kind', 'purpose', 'text'])
    .where('leadId', '=', leadId)
    .execute()
  return consents.filter(
    ({ kind, purpose, text }) =>
      !noted.some((one) => one.kind === kind && one.purpose === purpose && one.text === text),
  )
}

/** The row of a lead's person once their details are complete: another one if they corrected how to reach them. */
async function correctPerson(
  db: Database,
  lead: { id: string; organizationId: string; personId: string },
  of: { ownPersonId: string; values: PersonValues; contacts: readonly ContactValues[]; at: string },
): Promise<string> {
  const { ownPersonId, values, contacts, at } = of
  const { organizationId, personId } = lead
  const keys = contacts.map(({ valueKey }) => valueKey)
  const { rows } = await sql`
    select from person_contacts where person_id = any (${recordsOfPerson(personId)}) and value_key = any (${keys}::text[])`.execute(
    db,
  )
  const isSame = keys.length === 0 || rows.length > 0
  const rowId = isSame ? ownPersonId : await addPerson(db, organizationId, values)
  await addContacts(db, { personId: rowId, organizationId, leadId: lead.id, at }, contacts)
  if (isSame) {
    await fillPerson(db, rowId, values)
    await passOnDetails(db, rowId)
    await useLatestContacts(db, personId)
    return rowId
  }
  const match = await findPerson(db, organizationId, { name: values.name, contacts, exceptId: rowId })
  if (match === null || match.id === personId) await useLatestContacts(db, rowId)
  else await joinKnown(db, rowId, match)
  return rowId
}

/** Deletes the row of a person that no lead has anymore. */
async function eraseRow(db: Database, id: string): Promise<void> {
  await erasePeople(db, [id])
  // One of several rows of a person who has other leads.
  await sql`delete from people p where p.id = ${id} and p.merged_into_id is not null
    and not exists (select from leads l where l.person_id = p.id)
    and not exists (select from consent_events e where e.person_id = p.id)`.execute(db)
}

/** Where a lead was sent to, or is being sent to. One that still waits is sent with what is known then. */
async function readSentDestinations(
  db: Database,
  leadId: string,
): Promise<{ id: string; name: string; kind: 'adf' | 'email' | 'webhook' }[]> {
  const { rows } = await sql<{ id: string; name: string; kind: 'adf' | 'email' | 'webhook' }>`
    select distinct t.id::text, t.name, d.kind from lead_deliveries d
    join lead_destinations t on t.customer_id = d.customer_id and t.id = d.destination_id and t.is_active
    where d.lead_id = ${leadId} and not d.is_test and d.state <> 'failed' and (d.state <> 'queued' or d.mail_id is not null)`.execute(
    db,
  )
  return rows
}
