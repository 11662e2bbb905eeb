import { sql } from 'kysely'
import { isPlaceholderEmail, isPlaceholderPhone } from '#contract/leads/people/placeholders.ts'
import type { ContactLabel } from '#contract/leads/people/person-contacts.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { phoneE164 } from './phone-number.ts'
import { recordsOfPerson } from './records-of-person.ts'

/** An address or number as it came in. */
export type NewContact = Readonly<{ kind: 'email' | 'phone'; value: string; label: ContactLabel | null }>

/** An address or number as it is stored. `isMatching`: it may say that two leads are from one person. */
export type ContactValues = NewContact & Readonly<{ valueKey: string; isMatching: boolean }>

/** The key by which an address or number is the same in every spelling. */
export function contactKey({ kind, value }: Pick<NewContact, 'kind' | 'value'>, country: string): string {
  const text = value.trim()
  return kind === 'email' ? text.toLowerCase() : (phoneE164(text, country) ?? text.toLowerCase())
}

/**
 * Each address and number once, in the given order. `country`: of phone numbers without a country code. `senders`: keys of those
 * that sent the lead for others.
 */
export function contactValues(
  given: readonly NewContact[],
  { country, senders }: { country: string; senders: ReadonlySet<string> },
): ContactValues[] {
  const found = new Map<string, ContactValues>()
  for (const contact of given) {
    const value = contact.value.trim()
    if (value === '') continue
    const valueKey = contactKey(contact, country)
    const isPlaceholder = contact.kind === 'email' ? isPlaceholderEmail(value) : isPlaceholderPhone(value)
    const isMatching = !isPlaceholder && !senders.has(valueKey) && contact.label !== 'fax'
    const before = found.get(`${contact.kind} ${valueKey}`)
    if (before === undefined)
      found.set(`${contact.kind} ${valueKey}`, { ...contact, value, valueKey, isMatching })
    else if (before.label === null && contact.label !== null)
      found.set(`${contact.kind} ${valueKey}`, { ...before, label: contact.label })
  }
  return [...found.values()]
}

/**
 * Those of the keys that are no buyer's: addresses from which leads of other people came in, and those of the company itself.
 */
export async function findSenders(
  db: Database,
  organizationId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select k.key from unnest(${[...keys]}::text[]) k (key)
    where exists (select from users u where u.email_key = k.key)
      or exists (select from lots t where k.key like '+%' and length(regexp_replace(t.phone, '\\D', '', 'g')) >= 10
        and right(regexp_replace(t.phone, '\\D', '', 'g'), 10) = right(k.key, 10))
      or exists (select from email_handlers h where k.key in (lower(h.from_email), lower(h.reply_to)))
      or exists (select from lead_destinations d where lower(d.to_email) = k.key)
      or exists (select from lead_sources s join leads l on l.customer_id = s.customer_id and l.source_id = s.id
        where s.from_key = k.key and s.organization_id = ${organizationId}
          and exists (select from person_contacts c where c.customer_id = l.customer_id and c.person_id = l.person_id)
          and not exists (select from person_contacts c where c.customer_id = l.customer_id and c.person_id = l.person_id
            and c.value_key = k.key))`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Adds addresses and numbers to a row of a person. `leadId`: the lead that gave them. Known ones were used again. */
export async function addContacts(
  db: Database,
  of: { personId: string; organizationId: string; leadId: string | null; at: string },
  contacts: readonly ContactValues[],
): Promise<void> {
  if (contacts.length === 0) return
  const { at, ...owner } = of
  await db
    .insertInto('personContacts')
    .values(contacts.map((contact) => ({ ...owner, ...contact, firstSeenAt: at, lastUsedAt: at })))
    .onConflict((on) =>
      on.columns(['customerId', 'personId', 'kind', 'valueKey']).doUpdateSet({
        lastUsedAt: sql`greatest(person_contacts.last_used_at, excluded.last_used_at)`,
        label: sql`coalesce(person_contacts.label, excluded.label)`,
      }),
    )
    .execute()
}

/**
 * The address and number at which a person is reached: those that a user chose, otherwise those that the person used last.
 * @param personId the row that the person is shown with
 */
export async function useLatestContacts(db: Database, personId: string): Promise<void> {
  const latest = (kind: 'email' | 'phone') => sql`(select c.value, c.value_key from person_contacts c
    where c.person_id = any (${recordsOfPerson(personId)}) and c.kind = ${kind} and c.label is distinct from 'fax'
    order by c.is_preferred desc, c.is_matching desc, c.last_used_at desc, c.lead_id desc nulls last, c.id limit 1)`
  await sql`
    update people p set email = e.value, phone = n.value,
      phone_e164 = case when n.value_key ~ '^\\+[1-9][0-9]{6,14}$' then n.value_key end
    from (select 1) one left join ${latest('email')} e on true left join ${latest('phone')} n on true
    where p.id = ${personId} and (p.email, p.phone) is distinct from (e.value, n.value)`.execute(db)
}
