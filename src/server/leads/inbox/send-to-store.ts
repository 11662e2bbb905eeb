import { sql } from 'kysely'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addPerson, findPerson, lockPerson } from '../people/match-person.ts'
import { joinKnown } from '../people/merge-people.ts'
import { addContacts, type ContactValues, useLatestContacts } from '../people/person-contacts.ts'
import { copyFiles, giveFiles } from './lead-files.ts'
import { PERSON_DETAILS } from '../people/person-details.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'

/** Where a lead goes. */
export type NewPlace = Readonly<{ organizationId: string; lotId: string | null }>

/**
 * The buyer of a lead in another organization, who is a person of their own there. What they consented to and what they revoked goes
 * along. `personId`: the one that the lead is shown with.
 */
export async function personAt(
  db: Database,
  personId: string,
  { from, to }: { from: string; to: string },
): Promise<string> {
  if (from === to) return personId
  const values = await db
    .selectFrom('people')
    .select(PERSON_DETAILS)
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  const contacts = await readContacts(db, personId)
  await lockPerson(db, to, contacts)
  const match = await findPerson(db, to, { name: values.name, contacts })
  const id = await addPerson(db, to, { ...values, email: null, phone: null, phoneE164: null })
  const at = clock.date().toISOString()
  await addContacts(db, { personId: id, organizationId: to, leadId: null, at }, contacts)
  if (match === null) await useLatestContacts(db, id)
  else await joinKnown(db, id, match)
  await bringConsents(db, { personId, toPersonId: id, organizationId: to })
  return id
}

/** Every address and number of a person, the one that was used last first. */
async function readContacts(db: Database, personId: string): Promise<ContactValues[]> {
  const { rows } = await sql<ContactValues>`
    select kind, value, value_key, label, is_matching from (
      select distinct on (c.kind, c.value_key) c.* from person_contacts c where c.person_id = any (${recordsOfPerson(personId)})
      order by c.kind, c.value_key, c.is_preferred desc, c.last_used_at desc) c
    order by c.is_preferred desc, c.last_used_at desc, c.id`.execute(db)
  return rows
}

/** Adds the consents and revocations of a person to the same buyer in another organization. */
export async function bringConsents(
  db: Database,
  { personId, toPersonId, organizationId }: { personId: string; toPersonId: string; organizationId: string },
): Promise<void> {
  await sql`
    insert into consent_events (organization_id, person_id, at, kind, purpose, channel, text, text_version, language, seller,
      page_url, by_name)
    select ${organizationId}, ${toPersonId}, e.at, e.kind, e.purpose, e.channel, e.text, e.text_version, e.language, e.seller,
      e.page_url, e.by_name
    from consent_events e where e.person_id = any (${recordsOfPerson(personId)}) and not exists (
      select from consent_events known where known.person_id = ${toPersonId} and known.at = e.at and known.kind = e.kind
        and known.purpose = e.purpose and known.channel = e.channel and known.text = e.text)
    order by e.at, e.id`.execute(db)
}

/**
 * Gives a lead, with its duplicates, its conversation, its text and its form, to another organization. What waits to be sent to
 * destinations of the former store isn't sent.
 */
export async function giveToOrganization(
  db: Database,
  { leadId, personId }: { leadId: string; personId: string },
  { organizationId, lotId }: NewPlace,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update leads set organization_id = ${organizationId}, lot_id = ${lotId}, person_id = ${personId},
      external_id = case when exists (select from leads o where o.customer_id = leads.customer_id
        and o.organization_id = ${organizationId} and o.source_key = leads.source_key and o.external_id = leads.external_id
        and o.id <> leads.id) then null else external_id end
    where id = ${leadId} or duplicate_of_id = ${leadId} returning id::text`.execute(db)
  const ids = sql`any (${rows.map(({ id }) => id)}::bigint[])`
  await sql`delete from lead_notices where lead_id = ${ids}`.execute(db)
  await sql`update lead_deliveries set state = 'failed', response = 'The lead was moved to another store.', finished_at = app_now(),
    next_attempt_at = null, is_settled = true where lead_id = ${ids} and state = 'queued' and mail_id is null`.execute(
    db,
  )
  for (const table of ['lead_events', 'lead_messages', 'lead_routes', 'lead_deliveries']) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await sql`update ${sql.table(table)} set organization_id = ${organizationId} where lead_id = ${ids}`.execute(
      db,
    )
  }
  await sql`update lead_delivery_attempts set organization_id = ${organizationId}
    where delivery_id in (select d.id from lead_deliveries d where d.lead_id = ${ids})`.execute(db)
  await sql`update outbox_mails set organization_id = ${organizationId} where organization_id is not null and id in (
    select m.mail_id from lead_messages m where m.lead_id = ${ids}
    union all select d.mail_id from lead_deliveries d where d.lead_id = ${ids})`.execute(db)
  for (const table of ['form_files', 'form_submissions']) {
    const key = table === 'form_files' ? 'submission_id' : 'id'
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await sql`update ${sql.table(table)} set organization_id = ${organizationId}
      where ${sql.ref(key)} in (select l.submission_id from leads l where l.id = ${ids})`.execute(db)
  }
  await giveSources(
    db,
    rows.map(({ id }) => id),
    organizationId,
  )
  await giveFiles(
    db,
    rows.map(({ id }) => id),
    organizationId,
  )
}

/** The texts of leads. One that has leads or a message of another organization too is copied. */
async function giveSources(db: Database, leadIds: readonly string[], organizationId: string): Promise<void> {
  const ids = sql`any (${[...leadIds]}::bigint[])`
  const isShared = sql`(exists (select from leads o where o.customer_id = s.customer_id and o.source_id = s.id and o.id <> all (${[...leadIds]}::bigint[]))
    or exists (select from inbound_messages m where m.customer_id = s.customer_id and m.source_id = s.id))`
  const { rows } = await sql<{ leadId: string; sourceId: string; isAlone: boolean }>`
    select l.id::text as lead_id, s.id::text as source_id, not exists (select from leads o where o.customer_id = s.customer_id
      and o.source_id = s.id and o.id <> l.id) as is_alone
    from leads l join lead_sources s on s.customer_id = l.customer_id and s.id = l.source_id
    where l.id = ${ids} and ${isShared}`.execute(db)
  for (const { leadId, sourceId, isAlone } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and seldom more than one.
    const copied = isAlone ? await copySource(db, sourceId, organizationId) : null
    // oxlint-disable-next-line no-await-in-loop -- The same.
    await db.updateTable('leads').set({ sourceId: copied }).where('id', '=', leadId).execute()
  }
  await sql`update lead_sources set organization_id = ${organizationId}
    where id in (select l.source_id from leads l where l.id = ${ids})`.execute(db)
}

/** A copy of the text that a lead came in, for another store. Null if it has none. */
export async function copySource(
  db: Database,
  sourceId: string | null,
  organizationId: string,
): Promise<string | null> {
  if (sourceId === null) return null
  const { rows } = await sql<{ id: string }>`
    insert into lead_sources (organization_id, received_at, content_type, raw, warnings, from_email)
    select ${organizationId}, received_at, content_type, raw, warnings, from_email from lead_sources where id = ${sourceId}
    returning id::text`.execute(db)
  const id = rows[0]?.id ?? null
  if (id !== null) await copyFiles(db, { from: sourceId, to: id, organizationId })
  return id
}
