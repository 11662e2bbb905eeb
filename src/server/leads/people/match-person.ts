import { sql } from 'kysely'
import { isPlaceholderName } from '#contract/leads/people/placeholders.ts'
import { isSameName } from '#contract/leads/people/same-name.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type ContactValues, type NewContact } from './person-contacts.ts'
import { PERSON_DETAILS } from './person-details.ts'
import { phoneE164 } from './phone-number.ts'

/** How a buyer described themselves. Missing parts are null or left out. */
export type NewPerson = Readonly<{
  name?: string | null | undefined
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  /** Further addresses and numbers, and the labels of those above. */
  contacts?: readonly NewContact[] | undefined
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
  email: string | null
  phone: string | null
  phoneE164: string | null
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

/** Every address and number that a lead gives, the one to be used first. */
export const givenContacts = ({ email, phone, contacts = [] }: NewPerson): NewContact[] => [
  ...(email == null ? [] : [{ kind: 'email' as const, value: email, label: null }]),
  ...(phone == null ? [] : [{ kind: 'phone' as const, value: phone, label: null }]),
  ...contacts,
]

/** Makes two leads of one person that come in at the same moment wait for each other. */
export async function lockPerson(
  db: Database,
  organizationId: string,
  contacts: readonly ContactValues[],
): Promise<void> {
  const keys = matchingKeys(contacts).map((key) => `lead person ${organizationId} ${key}`)
  if (keys.length === 0) return
  // In order of the keys, so that two leads never wait for each other in a circle.
  await sql`select pg_advisory_xact_lock(k.key) from (
    select distinct hashtextextended(name, 0) as key from unnest(${keys}::text[]) name order by key) k`.execute(
    db,
  )
}

const matchingKeys = (contacts: readonly ContactValues[]): string[] => [
  ...new Set(contacts.flatMap(({ isMatching, valueKey }) => (isMatching ? [valueKey] : []))),
]

/** Why a lead is of a known person: what of both is equal. */
export type MatchReason = 'email' | 'phone' | 'name'

/** `id`: the row that the person is shown with. */
export type MatchedPerson = Readonly<{ id: string; reasons: MatchReason[] }>

type Candidate = { id: string; names: string[]; emails: string[]; emailKeys: string[]; phoneKeys: string[] }

/**
 * Finds the person of a lead: the only one of the same organization with the same address or number and surely the same name.
 * Without a name, the same email address is enough, unless several people have it. Everything weaker is no match, but is offered
 * as "Same buyer?". People who are known only from leads in quarantine are no one yet.
 */
export async function findPerson(
  db: Database,
  organizationId: string,
  of: { name: string | null; contacts: readonly ContactValues[]; exceptId?: string },
): Promise<MatchedPerson | null> {
  const keys = matchingKeys(of.contacts)
  if (keys.length === 0) return null
  const { rows } = await sql<Candidate>`
    with theirs as materialized (
      select distinct coalesce(p.merged_into_id, p.id) as id from person_contacts c
      join people p on p.customer_id = c.customer_id and p.id = c.person_id
      where c.organization_id = ${organizationId} and c.value_key = any (${keys}::text[]) and c.is_matching
        and coalesce(p.merged_into_id, p.id) is distinct from ${of.exceptId ?? null}::bigint
        and (not exists (select from leads q where q.customer_id = p.customer_id and q.person_id = p.id and q.status = 'quarantined')
          or exists (select from leads o where o.customer_id = p.customer_id and o.person_id = p.id and o.status <> 'quarantined')))
    select t.id::text, r.names, k.emails, k.email_keys, k.phone_keys from theirs t
    cross join lateral (select array(select x.id from people x where x.id = t.id
      union all select x.id from people x where x.merged_into_id = t.id) as ids) own
    cross join lateral (select coalesce(array_agg(distinct x.name) filter (where x.name is not null), '{}') as names
      from people x where x.id = any (own.ids)) r
    cross join lateral (select coalesce(array_agg(distinct c.value_key) filter (where c.kind = 'email' and c.is_matching), '{}') as emails,
        coalesce(array_agg(distinct c.value_key) filter (where c.kind = 'email' and c.value_key = any (${keys}::text[])), '{}') as email_keys,
        coalesce(array_agg(distinct c.value_key) filter (where c.kind = 'phone' and c.value_key = any (${keys}::text[])), '{}') as phone_keys
      from person_contacts c where c.person_id = any (own.ids)) k
    order by t.id`.execute(db)
  return chooseMatch(rows, of)
}

function chooseMatch(
  candidates: readonly Candidate[],
  of: { name: string | null; contacts: readonly ContactValues[] },
): MatchedPerson | null {
  const name = of.name !== null && !isPlaceholderName(of.name) ? of.name : null
  const namesOf = ({ names }: Candidate) => names.filter((one) => !isPlaceholderName(one))
  const same = candidates.filter((one) => namesOf(one).some((other) => isSameName(name, other)))
  const named = onlyOne(same) ?? onlyOne(same.filter(({ emailKeys }) => emailKeys.length > 0))
  if (named !== null) return { id: named.id, reasons: [...reasonsOf(named), 'name'] }
  const [only, ...others] = candidates
  if (same.length > 0 || only === undefined || others.length > 0) return null
  // One of them has no name. A number may be that of a household, an address may not.
  if (name !== null && namesOf(only).length > 0) return null
  if (only.emailKeys.length > 0) return { id: only.id, reasons: reasonsOf(only) }
  const hasOtherEmail =
    only.emails.length > 0 && of.contacts.some(({ kind, isMatching }) => kind === 'email' && isMatching)
  const isNameless = name === null && namesOf(only).length === 0
  return isNameless && !hasOtherEmail ? { id: only.id, reasons: reasonsOf(only) } : null
}

const onlyOne = <T>(list: readonly T[]): T | null => (list.length === 1 ? (list[0] ?? null) : null)

const reasonsOf = ({ emailKeys, phoneKeys }: Candidate): MatchReason[] => [
  ...(emailKeys.length > 0 ? (['email'] as const) : []),
  ...(phoneKeys.length > 0 ? (['phone'] as const) : []),
]

export async function addPerson(db: Database, organizationId: string, values: PersonValues): Promise<string> {
  const { id } = await db
    .insertInto('people')
    .values({ ...values, organizationId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Adds the details that a row of a person doesn't have yet. Its addresses and numbers are added by themselves. */
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
