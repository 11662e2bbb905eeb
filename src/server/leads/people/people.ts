import { sql } from 'kysely'
import { isNearName } from '#contract/leads/people/near-name.ts'
import { type people, Person, PersonMerge, SimilarPerson } from '#contract/leads/people/people.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { isStillRevoked, noteConsents } from '../consents/note-consents.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { readConsents } from '../inbox/read-lead.ts'
import { mergePeople, undoMerge } from './merge-people.ts'
import { personColumns } from './person-columns.ts'
import { phoneCountry, phoneE164 } from './phone-number.ts'
import { recordsOfPerson } from './records-of-person.ts'

/** A near name counts only if the person sent a lead within these days. */
const NEAR_NAME_DAYS = 30
/** The most people whose names are compared. */
const MOST_COMPARED = 2_000

/** The buyers of the caller's organization, or of the whole customer for callers with customer reach. */
export const peopleHandlers: Handlers<typeof people> = {
  async update({ db, actor, input: { id, version, ...changes } }) {
    const current = await lockPersonRow(db, id)
    if (version !== undefined && current.version !== version) throw stale('This person', current)
    const { firstName = current.firstName, lastName = current.lastName, phone = current.phone } = changes
    const isRenamed = firstName !== current.firstName || lastName !== current.lastName
    const parts = [firstName, lastName].filter((part) => part !== null)
    const { currency } = await db
      .selectFrom('customers')
      .select('currency')
      .where('id', '=', actor.customerId)
      .executeTakeFirstOrThrow()
    const { email = current.email } = changes
    await keepAddresses(db, id, {
      email: email?.toLowerCase() !== current.email?.toLowerCase(),
      phone: phone !== current.phone,
    })
    await db
      .updateTable('people')
      .set({
        ...changes,
        ...(isRenamed && { name: parts.length > 0 ? parts.join(' ') : null }),
        ...(phone !== current.phone && {
          phoneE164: phoneE164(phone, phoneCountry(current.country, currency)),
        }),
        version: sql`version`,
      })
      .where('id', '=', id)
      .execute()
    return readPerson(db, id)
  },

  async similar({ db, input: { id } }) {
    const person = await readPerson(db, id)
    const { rows } = await sql<Omit<SimilarPerson, 'reasons'>>`
      with own as (select * from people where id = ${id}),
      candidates as (
        select o.id from own join people o on o.organization_id = own.organization_id
          and (o.email_key = own.email_key or o.phone_e164 = own.phone_e164)
        union select coalesce(o.merged_into_id, o.id) from own
          join leads l on l.organization_id = own.organization_id and l.received_at > app_now() - ${NEAR_NAME_DAYS} * interval '1 day'
          join people o on o.id = l.person_id)
      select ${personColumns}, n.leads, ${instant(sql`n.latest`)} as "lastLeadAt" from own join people p on p.id in (select id from candidates)
      left join lateral (select count(*)::int as leads, max(l.received_at) as latest from leads l
        where l.person_id = any (${recordsOfPerson(sql`p.id`)})) n on true
      where p.id <> own.id and p.merged_into_id is null and (p.email_key = own.email_key or p.phone_e164 = own.phone_e164
        or (p.name is not null and n.latest > app_now() - ${NEAR_NAME_DAYS} * interval '1 day'))
      order by p.email_key = own.email_key desc nulls last, p.phone_e164 = own.phone_e164 desc nulls last, n.latest desc nulls last
      limit ${MOST_COMPARED}`.execute(db)
    return rows.flatMap((other) => {
      const reasons = reasonsFor(person, other)
      return reasons.length === 0 ? [] : [SimilarPerson.parse({ ...other, reasons })]
    })
  },

  async merge({ db, input }) {
    const id = await mergePeople(db, input)
    const { rows } = await sql<PersonMerge>`
      select m.id::text, m.kept_id::text, m.merged_id::text, coalesce(p.name, p.email, p.phone) as merged_name,
        ${instant(sql`m.at`)} as at, m.by_name
      from person_merges m join people p on p.customer_id = m.customer_id and p.id = m.merged_id where m.id = ${id}`.execute(
      db,
    )
    return PersonMerge.parse(rows[0])
  },

  async undoMerge({ db, input }) {
    return readPerson(db, await undoMerge(db, input.id))
  },

  async revoke({ db, input: { id, channel, text } }) {
    const { organizationId, mergedIntoId } = await lockPersonRow(db, id)
    if (mergedIntoId !== null)
      throw conflict('This person was merged with another person. Open that one instead.')
    const revoked = { kind: 'revoked', channels: [channel], text } as const
    await noteConsents(db, { personId: id, organizationId, leadId: null }, [
      { ...revoked, purpose: 'inquiry' },
      { ...revoked, purpose: 'marketing' },
    ])
    if (channel === 'email') await keepEmails(db, id)
    for (const lead of await leadsOf(db, id)) {
      await noteLeadEvents(db, { id: lead, organizationId }, [
        { kind: 'consent', data: { consent: 'revoked', channels: [channel], text } },
      ])
    }
    return readConsents(db, id)
  },
}

/**
 * An opt-out is about an address or a number. Before these change, what was opted out of is kept as someone without a name, as after
 * an erasure, so that no one with the former address is contacted.
 */
async function keepAddresses(
  db: Database,
  personId: string,
  changes: Readonly<{ email: boolean; phone: boolean }>,
): Promise<void> {
  const channels = [...(changes.email ? ['email'] : []), ...(changes.phone ? ['call', 'text'] : [])]
  if (channels.length === 0) return
  await sql`
    with revoked as (
      select e.* from consent_events e
      where e.person_id = any (${recordsOfPerson(personId)}) and e.channel = any(${channels}::text[]) and ${isStillRevoked}
    ), kept as (
      insert into people (organization_id, email, phone, phone_e164)
      select p.organization_id, case when ${changes.email} then p.email end, case when ${changes.phone} then p.phone end,
        case when ${changes.phone} then p.phone_e164 end
      from people p where p.id = ${personId} and exists (select from revoked) returning id
    )
    insert into consent_events (organization_id, person_id, kind, purpose, channel, text, text_version, language, seller, page_url, at)
    select r.organization_id, kept.id, r.kind, r.purpose, r.channel, r.text, r.text_version, r.language, r.seller, r.page_url, r.at
    from revoked r cross join kept`.execute(db)
}

/** What was written to the address of a buyer and hasn't left yet isn't sent anymore. */
async function keepEmails(db: Database, personId: string): Promise<void> {
  await sql`update outbox_mails m set state = 'failed', next_attempt_at = null, error = 'This person asked not to be emailed.'
    from people p join lead_messages x on x.customer_id = p.customer_id and x.organization_id = p.organization_id
    where p.id = ${personId} and x.direction = 'out' and x.mail_id = m.id and m.customer_id = x.customer_id
      and m.state = 'waiting' and lower(m.to_email) = p.email_key`.execute(db)
}

function reasonsFor(person: Person, other: Person): SimilarPerson['reasons'] {
  const isSame = (one: string | null, two: string | null) =>
    one !== null && one.toLowerCase() === two?.toLowerCase()
  return [
    ...(isSame(person.email, other.email) ? (['email'] as const) : []),
    ...(isSame(person.phoneE164, other.phoneE164) ? (['phone'] as const) : []),
    ...(isNearName(person.name, other.name) ? (['name'] as const) : []),
  ]
}

/** @throws Failure 404 */
async function readPerson(db: Database, id: string): Promise<Person> {
  const { rows } = await sql<Person>`select ${personColumns} from people p where p.id = ${id}`.execute(db)
  const [person] = rows
  if (person === undefined) throw notFound('Person')
  return Person.parse(person)
}

/** @throws Failure 404 */
async function lockPersonRow(
  db: Database,
  id: string,
): Promise<Person & { organizationId: string; mergedIntoId: string | null }> {
  const row = await db
    .selectFrom('people')
    .select(['organizationId', 'mergedIntoId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound('Person')
  return { ...(await readPerson(db, id)), ...row }
}

/** The open leads of a person. */
async function leadsOf(db: Database, personId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id::text from leads l
    where l.person_id = any (${recordsOfPerson(personId)}) and l.outcome not in ('sold', 'lost')`.execute(db)
  return rows.map(({ id }) => id)
}
