import { sql } from 'kysely'
import { isNearName } from '#contract/leads/people/near-name.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { PERSON_DETAILS } from './person-details.ts'
import { phoneE164 } from './phone-number.ts'

/** How a buyer described themselves. Missing parts are null or left out. */
export type NewPerson = Readonly<{
  name?: string | null | undefined
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  street?: string | null | undefined
  city?: string | null | undefined
  region?: string | null | undefined
  postalCode?: string | null | undefined
  country?: string | null | undefined
  language?: string | null | undefined
  preferredContact?: 'email' | 'call' | 'text' | null | undefined
  contactTime?: string | null | undefined
}>

export type PersonValues = Record<
  Exclude<(typeof PERSON_DETAILS)[number], 'preferredContact'>,
  string | null
> & {
  preferredContact: 'email' | 'call' | 'text' | null
}

/** A person's details as columns. `country`: of a phone number without a country code. */
export function personValues(person: NewPerson, country: string): PersonValues {
  const text = (value: string | null | undefined) => {
    const trimmed = value?.trim() ?? ''
    return trimmed === '' ? null : trimmed
  }
  const parts = [text(person.firstName), text(person.lastName)].filter((part) => part !== null)
  const phone = text(person.phone)
  return {
    name: text(person.name) ?? (parts.length > 0 ? parts.join(' ') : null),
    firstName: text(person.firstName),
    lastName: text(person.lastName),
    email: text(person.email),
    phone,
    phoneE164: phoneE164(phone, country),
    street: text(person.street),
    city: text(person.city),
    region: text(person.region),
    postalCode: text(person.postalCode),
    country: text(person.country),
    language: text(person.language),
    preferredContact: person.preferredContact ?? null,
    contactTime: text(person.contactTime),
  }
}

/** Makes two leads of one person that come in at the same moment wait for each other. */
export async function lockPerson(
  db: Database,
  organizationId: string,
  { email, phoneE164: phone }: Pick<PersonValues, 'email' | 'phoneE164'>,
): Promise<void> {
  const keys = [email?.toLowerCase(), phone].flatMap((key) =>
    key == null ? [] : [`lead person ${organizationId} ${key}`],
  )
  if (keys.length === 0) return
  // In order of the keys, so that two leads never wait for each other in a circle.
  await sql`select pg_advisory_xact_lock(k.key) from (
    select distinct hashtextextended(name, 0) as key from unnest(${keys}::text[]) name order by key) k`.execute(
    db,
  )
}

/**
 * The person of a lead: one of the same organization with the same email address or phone number, unless the names
 * contradict each other, otherwise a new one. A lead adds details that were missing and changes none.
 */
export async function findOrAddPerson(
  db: Database,
  organizationId: string,
  values: PersonValues,
): Promise<string> {
  const id = await findPerson(db, organizationId, values)
  if (id === null) return addPerson(db, organizationId, values)
  await fillPerson(db, id, values)
  return id
}

/** Finds the person of a lead. People who are known only from leads in quarantine are no one yet. */
export async function findPerson(
  db: Database,
  organizationId: string,
  of: Pick<PersonValues, 'name' | 'email' | 'phoneE164'> & { exceptId?: string },
): Promise<string | null> {
  const { rows } = await sql<{ id: string; name: string | null; isEmail: boolean }>`
    select coalesce(p.merged_into_id, p.id)::text as id, p.name,
      coalesce(p.email_key = lower(${of.email}), false) as is_email
    from people p where p.organization_id = ${organizationId}
      and (p.email_key = lower(${of.email}) or p.phone_e164 = ${of.phoneE164})
      and coalesce(p.merged_into_id, p.id) is distinct from ${of.exceptId ?? null}::bigint
      and (not exists (select from leads q where q.customer_id = p.customer_id and q.person_id = p.id and q.status = 'quarantined')
        or exists (select from leads o where o.customer_id = p.customer_id and o.person_id = p.id and o.status <> 'quarantined'))
    order by is_email desc, p.id`.execute(db)
  const same = rows.find(({ name }) => name === null || of.name === null || isNearName(name, of.name))
  return same?.id ?? null
}

export async function addPerson(db: Database, organizationId: string, values: PersonValues): Promise<string> {
  const { id } = await db
    .insertInto('people')
    .values({ ...values, organizationId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function fillPerson(db: Database, id: string, values: PersonValues): Promise<void> {
  const given = PERSON_DETAILS.filter((name) => values[name] !== null)
  if (given.length === 0) return
  const missing = sql.join(
    given.map((name) => sql`${sql.ref(name)} is null`),
    sql` or `,
  )
  await db
    .updateTable('people')
    .set(Object.fromEntries(given.map((name) => [name, sql`coalesce(${sql.ref(name)}, ${values[name]})`])))
    .where('id', '=', id)
    .where(sql<boolean>`(${missing})`)
    .execute()
}
