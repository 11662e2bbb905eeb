import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isStillRevoked } from '../consents/note-consents.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'
import { answeredBy, isEscalated, wasLate } from './response-facts.ts'

/**
 * Deletes leads with their conversations, raw texts, form submissions and the emails about them, also from the audit log. What
 * figures need stays in `past_leads`, without a person.
 * @returns how many were deleted.
 */
export async function eraseLeads(db: Database, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const own = sql`${[...ids]}::bigint[]`
  await sql`insert into past_leads (organization_id, lot_id, owner_id, source_name, received_at, is_answered, is_late, is_escalated,
      open_response_seconds, outcome)
    select l.organization_id, l.lot_id, ${answeredBy}, l.source_name, date_trunc('hour', l.received_at),
      l.first_response_at is not null, ${wasLate}, ${isEscalated},
      l.open_response_seconds, l.outcome
    from leads l where l.id = any (${own}) and not l.is_test and l.status not in ('duplicate', 'quarantined')`.execute(
    db,
  )
  await eraseMails(
    db,
    sql`select m.mail_id from lead_messages m where m.lead_id = any (${own})
      union all select d.mail_id from lead_deliveries d where d.lead_id = any (${own})`,
  )
  const replies = await readReplyTexts(db, own)
  // The buyers as the stores know them from which the leads were moved.
  const { rows: former } = await sql<{
    id: string
  }>`select distinct m.from_person_id::text as id from lead_moves m
    where m.lead_id = any (${own}) and m.from_person_id is not null`.execute(db)
  const { rows } = await sql<{ sourceId: string | null; submissionId: string | null }>`
    delete from leads l where l.id = any (${own}) returning l.source_id::text, l.submission_id::text`.execute(
    db,
  )
  const sources = rows.flatMap(({ sourceId }) => sourceId ?? [])
  const submissions = rows.flatMap(({ submissionId }) => submissionId ?? [])
  // Several leads can come from one text.
  await sql`delete from lead_sources s where s.id = any (${[...sources, ...replies]}::bigint[])
    and not exists (select from leads l where l.source_id = s.id)`.execute(db)
  await eraseSubmissions(db, submissions)
  await sql`select erase_from_audit_log('leads', ${own})`.execute(db)
  await erasePeople(
    db,
    former.map(({ id }) => id),
  )
  return rows.length
}

/** Deletes what visitors sent, also from the audit log. */
export async function eraseSubmissions(db: Database, ids: readonly string[]): Promise<void> {
  const own = sql`${[...ids]}::bigint[]`
  await sql`delete from form_submissions where id = any (${own})`.execute(db)
  await sql`select erase_from_audit_log('form_submissions', ${own})`.execute(db)
}

/** Empties these emails, also in the audit log. */
export async function eraseMailsTo(db: Database, ids: readonly string[]): Promise<void> {
  await eraseMails(db, sql`select unnest(${[...ids]}::bigint[])`)
}

/** The texts of the emails with which buyers answered. */
async function readReplyTexts(db: Database, leads: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.source_id::text as id from inbound_messages m
    join inbound_message_leads i on i.customer_id = m.customer_id and i.message_id = m.id
    where i.lead_id = any (${leads})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Empties emails that were sent, or that never will be. One that waits to be sent fails. */
async function eraseMails(db: Database, ids: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update outbox_mails o set to_name = 'Erased', to_email = 'erased@erased.invalid', subject = 'Erased', text_sealed = '',
      html_sealed = null, from_name = null, reply_to = null, in_reply_to = null, next_attempt_at = null,
      error = case when o.state = 'waiting' then 'The lead was deleted.' else o.error end,
      state = case when o.state = 'waiting' then 'failed' else o.state end
    where o.id in (${ids}) returning o.id::text`.execute(db)
  await sql`select erase_from_audit_log('outbox_mails', ${rows.map(({ id }) => id)}::bigint[])`.execute(db)
}

/**
 * Deletes people who have no leads left, with those merged with them and their consents. Of someone who asked not to be
 * contacted, the address or number stays, so that the store can honor that.
 * @returns how many were deleted, and of how many an address was kept.
 */
export async function erasePeople(
  db: Database,
  ids: readonly string[],
): Promise<{ deleted: number; kept: number }> {
  if (ids.length === 0) return { deleted: 0, kept: 0 }
  const shownIds = sql`array(select coalesce(o.merged_into_id, o.id) from people o where o.id = any (${[...ids]}::bigint[]))`
  const { rows } = await sql<ErasedRow>`
    select p.id::text, coalesce(p.merged_into_id, p.id)::text as shown_id, r.email or r.phone as is_kept, r.email, r.phone from people p
    cross join lateral (
      select coalesce(bool_or(e.channel = 'email'), false) as email, coalesce(bool_or(e.channel in ('call', 'text')), false) as phone
      from consent_events e where e.customer_id = p.customer_id and e.person_id = p.id and ${isStillRevoked}
    ) r
    where (p.id = any (${shownIds}) or p.merged_into_id = any (${shownIds}))
      and not exists (select from leads l where l.person_id = any (${recordsOfPerson(sql`coalesce(p.merged_into_id, p.id)`)}))
    order by p.id for update of p`.execute(db)
  const found = rows.map(({ id }) => id)
  const contacts = await keepContacts(db, rows)
  const gone = rows.filter(({ isKept }) => !isKept).map(({ id }) => id)
  await sql`update people set merged_into_id = null where merged_into_id = any (${gone}::bigint[])`.execute(
    db,
  )
  await sql`delete from people where id = any (${gone}::bigint[])`.execute(db)
  for (const { id, isKept, email, phone } of rows) {
    if (!isKept) continue
    await sql`update people set name = null, first_name = null, last_name = null, street = null, city = null, region = null,
        postal_code = null, country = null, language = null, preferred_contact = null, contact_time = null,
        email = case when ${email} then email end, phone = case when ${phone} then phone end,
        phone_e164 = case when ${phone} then phone_e164 end
      where id = ${id}`.execute(db)
  }
  await sql`select erase_from_audit_log('people', ${found}::bigint[])`.execute(db)
  await sql`select erase_from_audit_log('person_contacts', ${contacts}::bigint[])`.execute(db)
  return { deleted: gone.length, kept: rows.length - gone.length }
}

type ErasedRow = { id: string; shownId: string; isKept: boolean; email: boolean; phone: boolean }

/**
 * Of who opted out, every address or number of theirs stays, also those of the rows that are deleted, without whose it was.
 * @returns the IDs of all contact details of these rows, for the audit log.
 */
async function keepContacts(db: Database, rows: readonly ErasedRow[]): Promise<string[]> {
  const ids = rows.map(({ id }) => id)
  const { rows: contacts } = await sql<{ id: string }>`
    select id::text from person_contacts where person_id = any (${ids}::bigint[])`.execute(db)
  for (const { id, shownId, isKept, email, phone } of rows) {
    if (!isKept) continue
    const kinds = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])]
    const others = rows.flatMap((one) => (one.shownId === shownId && one.id !== id ? [one.id] : []))
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await sql`insert into person_contacts (organization_id, person_id, kind, value, value_key, is_matching)
      select distinct on (c.kind, c.value_key) c.organization_id, ${id}::bigint, c.kind, c.value, c.value_key, c.is_matching from person_contacts c
      where c.person_id = any (${others}::bigint[]) and c.kind = any (${kinds}::text[]) on conflict do nothing`.execute(
      db,
    )
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await sql`delete from person_contacts where person_id = ${id} and not kind = any (${kinds}::text[])`.execute(
      db,
    )
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await sql`update person_contacts set label = null, lead_id = null, added_by = null, is_preferred = false
      where person_id = ${id}`.execute(db)
  }
  return contacts.map(({ id }) => id)
}
