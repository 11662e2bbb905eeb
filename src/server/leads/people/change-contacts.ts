import { sql } from 'kysely'
import type { ContactLabel } from '#contract/leads/people/person-contacts.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { clock } from '#server/clock.ts'
import { isStillRevoked } from '../consents/note-consents.ts'
import {
  addContacts,
  contactValues,
  findSenders,
  type NewContact,
  useLatestContacts,
} from './person-contacts.ts'
import { recordsOfPerson } from './records-of-person.ts'

type Owner = Readonly<{ personId: string; organizationId: string }>

/** Adds an address or number that a user enters, or names what a known one is for. `isPreferred`: it is the one to use. */
export async function enterContact(
  db: Database,
  { personId, organizationId, country }: Owner & { country: string },
  { isPreferred = false, ...contact }: NewContact & { isPreferred?: boolean },
): Promise<void> {
  const [values] = contactValues([contact], { country, senders: new Set() })
  if (values === undefined) return
  const own = await findSenders(db, organizationId, [values.valueKey])
  const known = await db
    .selectFrom('personContacts')
    .select('id')
    .where(sql<boolean>`person_id = any (${recordsOfPerson(personId)})`)
    .where('kind', '=', contact.kind)
    .where('valueKey', '=', values.valueKey)
    .orderBy('id')
    .executeTakeFirst()
  const at = clock.date().toISOString()
  if (known === undefined) {
    const stored = { ...values, isMatching: values.isMatching && !own.has(values.valueKey) }
    await addContacts(db, { personId, organizationId, leadId: null, at }, [stored])
    await sql`update person_contacts set added_by = nullif(current_setting('app.actor_name', true), '')
      where person_id = ${personId} and kind = ${contact.kind} and value_key = ${values.valueKey}`.execute(db)
  } else if (contact.label !== null) await labelContact(db, { personId, ...values })
  // As it was entered now.
  if (known !== undefined)
    await sql`update person_contacts set value = ${values.value} where id = ${known.id} and value <> ${values.value}`.execute(
      db,
    )
  if (isPreferred) await preferContact(db, { personId, ...values }, true)
  await useLatestContacts(db, personId)
}

type Key = Readonly<{ personId: string; kind: 'email' | 'phone'; valueKey: string }>

/** Says what an address or number is for, in all records of the person. */
export async function labelContact(
  db: Database,
  { personId, kind, valueKey, label }: Key & { label: ContactLabel | null },
): Promise<void> {
  await sql`update person_contacts set label = ${label} where person_id = any (${recordsOfPerson(personId)}) and kind = ${kind}
    and value_key = ${valueKey} and label is distinct from ${label}`.execute(db)
}

/** Makes an address or number the one to use, or ends that. */
export async function preferContact(
  db: Database,
  { personId, kind, valueKey }: Key,
  isPreferred: boolean,
): Promise<void> {
  await sql`update person_contacts c set is_preferred = x.is_preferred from (
      select o.customer_id, o.id, ${isPreferred} and o.id = min(o.id) filter (where o.value_key = ${valueKey}) over () as is_preferred
      from person_contacts o where o.person_id = any (${recordsOfPerson(personId)}) and o.kind = ${kind}) x
    where c.customer_id = x.customer_id and c.id = x.id and c.is_preferred <> x.is_preferred`.execute(db)
}

/** Removes an address or number from all records of a person. An opt-out stays with it. */
export async function dropContact(db: Database, { personId, kind, valueKey }: Key): Promise<void> {
  await keepOptedOut(db, { personId, kind, valueKey })
  await sql`delete from person_contacts where person_id = any (${recordsOfPerson(personId)}) and kind = ${kind}
    and value_key = ${valueKey}`.execute(db)
  await useLatestContacts(db, personId)
}

/**
 * An opt-out is about an address or a number. Before it is removed, what was opted out of is kept as someone without a name, as after
 * an erasure, so that no one with that address is contacted.
 */
async function keepOptedOut(db: Database, { personId, kind, valueKey }: Key): Promise<void> {
  const channels = kind === 'email' ? ['email'] : ['call', 'text']
  await sql`
    with revoked as (
      select e.* from consent_events e
      where e.person_id = any (${recordsOfPerson(personId)}) and e.channel = any(${channels}::text[]) and ${isStillRevoked}
    ), gone as (
      select c.* from person_contacts c where c.person_id = any (${recordsOfPerson(personId)}) and c.kind = ${kind}
        and c.value_key = ${valueKey} and exists (select from revoked) order by c.id limit 1
    ), kept as (
      insert into people (organization_id, email, phone, phone_e164)
      select g.organization_id, case when g.kind = 'email' then g.value end, case when g.kind = 'phone' then g.value end,
        case when g.value_key like '+%' then g.value_key end
      from gone g returning id
    ), contact as (
      insert into person_contacts (organization_id, person_id, kind, value, value_key, is_matching)
      select g.organization_id, kept.id, g.kind, g.value, g.value_key, g.is_matching from gone g cross join kept
    )
    insert into consent_events (organization_id, person_id, kind, purpose, channel, text, text_version, language, seller, page_url, at)
    select r.organization_id, kept.id, r.kind, r.purpose, r.channel, r.text, r.text_version, r.language, r.seller, r.page_url, r.at
    from revoked r cross join kept`.execute(db)
}

/** The person of an address or number, and its key. @throws Failure 404 */
export async function readContactKey(db: Database, id: string): Promise<Key & Owner> {
  const { rows } = await sql<Key & Owner>`
    select coalesce(p.merged_into_id, p.id)::text as person_id, c.organization_id::text, c.kind, c.value_key
    from person_contacts c join people p on p.customer_id = c.customer_id and p.id = c.person_id where c.id = ${id}`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw notFound('Contact detail')
  return found
}
