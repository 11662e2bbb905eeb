import { sql } from 'kysely'
import { isSameName } from '#contract/leads/people/same-name.ts'
import { SimilarPerson } from '#contract/leads/people/people.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { personColumns } from './person-columns.ts'
import { recordsOfPerson } from './records-of-person.ts'

/** The most pairs that are offered at once, and the most that are compared. */
const MOST_OFFERED = 5
const MOST_COMPARED = 200
/** Leads about one vehicle within these days may be from one person. */
const VEHICLE_DAYS = 30

type CandidateRow = Omit<SimilarPerson, 'evidence' | 'differs'> & {
  emails: string[]
  phones: string[]
  ownName: string | null
  ownEmail: string | null
  ownPhone: string | null
  isAtAddress: boolean
  isInPostalCode: boolean
  vehicles: string[]
}

/**
 * People who may be one with this person, only with evidence: a common address or number, or the same name at the same address, in
 * the same ZIP code or about the same vehicle. Those that were told apart are last.
 */
export async function findSimilarPeople(db: Database, id: string): Promise<SimilarPerson[]> {
  const own = recordsOfPerson(id)
  const other = recordsOfPerson(sql`p.id`)
  const common = (kind: 'email' | 'phone') => sql`array(select distinct c.value_key from person_contacts c
    where c.person_id = any (${other}) and c.kind = ${kind} and c.is_matching and c.value_key = any (array(
      select m.value_key from person_contacts m where m.person_id = any (${own}) and m.is_matching)))`
  const { rows } = await sql<CandidateRow>`
    with own as (select * from people where id = ${id}),
    candidates as (
      select distinct coalesce(o.merged_into_id, o.id) as id from person_contacts m
      join person_contacts c on c.customer_id = m.customer_id and c.organization_id = m.organization_id and c.value_key = m.value_key
        and c.is_matching
      join people o on o.customer_id = c.customer_id and o.id = c.person_id
      where m.person_id = any (${own}) and m.is_matching
      union
      select coalesce(o.merged_into_id, o.id) from own join people o on o.customer_id = own.customer_id
        and o.organization_id = own.organization_id and o.name_key = own.name_key)
    select ${personColumns}, n.leads, ${instant(sql`n.latest`)} as "lastLeadAt", n.lead_id::text as "lastLeadId",
      ${common('email')} as emails, ${common('phone')} as phones, own.name as "ownName", own.email as "ownEmail", own.phone as "ownPhone",
      coalesce(lower(p.street) = lower(own.street) and lower(p.postal_code) = lower(own.postal_code), false) as "isAtAddress",
      coalesce(lower(p.postal_code) = lower(own.postal_code), false) as "isInPostalCode",
      array(select distinct l.vehicle_title from leads l join leads m on m.customer_id = l.customer_id
          and (m.vehicle_id = l.vehicle_id or upper(m.asked_vehicle ->> 'vin') = upper(l.asked_vehicle ->> 'vin'))
        where l.person_id = any (${other}) and m.person_id = any (${own}) and l.vehicle_title is not null
          and abs(extract(epoch from l.received_at - m.received_at)) < ${VEHICLE_DAYS * 86_400}) as vehicles,
      (select json_build_object('at', ${instant(sql`d.at`)}, 'byName', d.by_name) from person_distinctions d
        where d.one_id = any (${own}) and d.other_id = any (${other}) or d.one_id = any (${other}) and d.other_id = any (${own})
        order by d.at desc limit 1) as decided
    from own join people p on p.id in (select id from candidates)
    cross join lateral (select count(*)::int as leads, max(l.received_at) as latest, max(l.id) as lead_id from leads l
      where l.person_id = any (${other}) and l.status <> 'quarantined') n
    where p.id <> own.id and n.leads > 0
    order by n.latest desc, p.id limit ${MOST_COMPARED}`.execute(db)
  const similar = rows.flatMap((row) => withEvidence(row) ?? [])
  const open = similar
    .filter(({ decided }) => decided === null)
    .toSorted((one, two) => two.evidence.length - one.evidence.length)
  return [...open.slice(0, MOST_OFFERED), ...similar.filter(({ decided }) => decided !== null)]
}

function withEvidence(row: CandidateRow): SimilarPerson | null {
  const { name, ownName, emails, phones, street, postalCode, vehicles, isAtAddress, isInPostalCode } = row
  const isSame = isSameName(ownName, name)
  const place = [street, postalCode].filter(Boolean).join(', ')
  const evidence: SimilarPerson['evidence'] = [
    ...emails.map((value) => ({ kind: 'email' as const, value })),
    ...phones.map((value) => ({ kind: 'phone' as const, value })),
    ...(isSame && isAtAddress ? [{ kind: 'address' as const, value: place }] : []),
    ...(isSame && isInPostalCode && !isAtAddress
      ? [{ kind: 'postalCode' as const, value: postalCode ?? '' }]
      : []),
    ...(isSame ? vehicles.map((value) => ({ kind: 'vehicle' as const, value })) : []),
  ]
  if (evidence.length === 0) return null
  return SimilarPerson.parse({ ...row, evidence, differs: differencesOf(row, isSame) })
}

function differencesOf(row: CandidateRow, isSame: boolean): SimilarPerson['differs'] {
  const { name, email, phone, ownName, ownEmail, ownPhone, emails, phones } = row
  const pair = (
    kind: 'name' | 'email' | 'phone',
    own: string | null,
    other: string | null,
    isEqual: boolean,
  ) => (own === null || other === null || isEqual ? [] : [{ kind, own, other }])
  return [
    ...pair('name', ownName, name, isSame),
    ...pair('email', ownEmail, email, emails.length > 0),
    ...pair('phone', ownPhone, phone, phones.length > 0),
  ]
}
