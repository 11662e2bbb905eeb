import { sql } from 'kysely'
import { PersonContact } from '#contract/leads/people/person-contacts.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { recordsOfPerson } from './records-of-person.ts'

type Row = Omit<PersonContact, 'isUsed' | 'isNew' | 'isPlaceholder'> & {
  isMatching: boolean
  isEmailUsed: boolean
  isPhoneUsed: boolean
}

/** Every address and number of a person, each once. `personId`: the row it is shown with; `leadId`: the lead that is read. */
export async function readPersonContacts(
  db: Database,
  { personId, leadId }: { personId: string; leadId: string },
): Promise<PersonContact[]> {
  const { rows } = await sql<Row>`
    select c.id::text, c.kind, c.value, c.value_key as key, c.label, c.lead_id::text as "leadId", l.source_name as "sourceName",
      c.added_by as "addedBy", ${instant(sql`c.first_seen_at`)} as "firstSeenAt", ${instant(sql`c.last_used_at`)} as "lastUsedAt",
      c.is_preferred as "isPreferred", c.is_matching as "isMatching", c.version,
      coalesce(c.kind = 'email' and c.value_key = p.email_key, false) as "isEmailUsed",
      coalesce(c.kind = 'phone' and c.value_key = coalesce(p.phone_e164, lower(p.phone)), false) as "isPhoneUsed"
    from person_contacts c join people p on p.id = ${personId}
    left join leads l on l.customer_id = c.customer_id and l.id = c.lead_id
    where c.person_id = any (${recordsOfPerson(personId)}) order by c.first_seen_at, c.id`.execute(db)
  const isKnown = rows.some((row) => row.leadId !== null && BigInt(row.leadId) < BigInt(leadId))
  const byKey = Map.groupBy(rows, ({ kind, key }) => `${kind} ${key}`)
  return [...byKey.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const chosen = same.find(({ isPreferred }) => isPreferred) ?? first
    return PersonContact.parse({
      ...first,
      id: chosen.id,
      version: chosen.version,
      label: same.find(({ label }) => label !== null)?.label ?? null,
      lastUsedAt: same
        .map(({ lastUsedAt }) => lastUsedAt)
        .toSorted()
        .at(-1),
      isPreferred: chosen.isPreferred,
      isUsed: same.some(({ isEmailUsed, isPhoneUsed }) => isEmailUsed || isPhoneUsed),
      isNew: isKnown && first.leadId === leadId,
      isPlaceholder: same.every(({ isMatching }) => !isMatching),
    })
  })
}
