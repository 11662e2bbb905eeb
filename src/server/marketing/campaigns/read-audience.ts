import { type RawBuilder, sql } from 'kysely'
import {
  type Audience,
  type AudienceCount,
  LEFT_OUT,
  type LeftOut,
} from '#contract/marketing/campaigns/audience.ts'
import { recordsOfPerson } from '#server/leads/index.ts'
import { isPlaceholderEmail, isPlaceholderName } from '#contract/leads/people/placeholders.ts'
import { allowLongStatements, type Database } from '#server/database/tenant-transaction.ts'

/** A person whose leads match. `reason`: why they aren't mailed; null if they are. */
export type AudienceMember = Readonly<{
  personId: string
  name: string | null
  firstName: string | null
  email: string | null
  reason: LeftOut | null
}>

type Row = {
  personId: string
  name: string | null
  firstName: string | null
  email: string | null
  isSuppressed: boolean
  /** What was said last about marketing emails to this address, by anyone who has it. */
  said: 'given' | 'declined' | 'revoked' | null
  /** They don't want any email, not even answers. */
  isRefused: boolean
}

/** Of a large customer. */
const READ_MS = 60_000

/**
 * Everyone a campaign is for, and why each of the others isn't mailed. Counting, previewing and sending all read this, so that they agree.
 * @param personIds only these, whether or not their leads still match: what was withdrawn since counts
 */
export async function readAudience(
  db: Database,
  of: Readonly<{ organizationId: string; audience: Audience; personIds?: readonly string[] }>,
): Promise<AudienceMember[]> {
  await allowLongStatements(db, READ_MS)
  const { rows } = await sql<Row>`
    with chosen as materialized (
      select p.id, p.name, p.first_name, p.email, lower(p.email) as key from people p
      where p.organization_id = ${of.organizationId} and p.merged_into_id is null
        and ${of.personIds === undefined ? matches(of) : sql`p.id = any(${[...of.personIds]}::bigint[])`}
    ), said as (
      select distinct on (c.value_key, e.purpose) c.value_key as key, e.purpose, e.kind
      from consent_events e
      join people r on r.customer_id = e.customer_id and r.id = e.person_id
      join lateral unnest(${recordsOfPerson(sql`coalesce(r.merged_into_id, r.id)`)}) o (id) on true
      join person_contacts c on c.customer_id = e.customer_id and c.person_id = o.id and c.kind = 'email'
      where e.organization_id = ${of.organizationId} and e.channel = 'email'
        and (e.purpose = 'marketing' or e.purpose = 'inquiry' and e.kind <> 'declined')
        and c.value_key in (select key from chosen)
      order by c.value_key, e.purpose, e.at desc, e.id desc
    )
    select a.id::text as person_id, a.name, a.first_name, a.email,
      exists (select from suppressed_addresses s where s.email_key = a.key) as is_suppressed,
      m.kind as said, coalesce(i.kind = 'revoked', false) as is_refused
    from chosen a
    left join said m on m.key = a.key and m.purpose = 'marketing'
    left join said i on i.key = a.key and i.purpose = 'inquiry'
    order by a.id`.execute(db)
  const taken = new Set<string>()
  return rows.map(({ isSuppressed, said, isRefused, ...row }) => {
    const person = { ...row, firstName: row.firstName ?? firstNameIn(row.name) }
    const reason = reasonAgainst({ ...row, isSuppressed, said, isRefused })
    if (reason !== null || person.email === null) return { ...person, reason }
    const key = person.email.toLowerCase()
    if (taken.has(key)) return { ...person, reason: 'duplicate' as const }
    taken.add(key)
    return { ...person, reason: null }
  })
}

/** Many forms ask for the whole name. */
function firstNameIn(name: string | null): string | null {
  if (name === null || isPlaceholderName(name)) return null
  return name.trim().split(/\s+/)[0] ?? null
}

function reasonAgainst({ email, isSuppressed, said, isRefused }: Row): LeftOut | null {
  if (email === null) return 'email'
  if (isPlaceholderEmail(email)) return 'placeholder'
  if (isSuppressed) return 'suppressed'
  if (isRefused || said === 'revoked') return 'revoked'
  if (said === 'declined') return 'declined'
  return said === 'given' ? null : 'consent'
}

/** SQL: leads of the person `p`, or of those merged into them, are what the audience names. */
function matches({
  organizationId,
  audience,
}: {
  organizationId: string
  audience: Audience
}): RawBuilder<unknown> {
  const { lotIds, types, outcomes, makes, activeWithin, quietFor } = audience
  const own = sql`l.person_id = any (${recordsOfPerson(sql`p.id`)})
    and l.organization_id = ${organizationId} and not l.is_test and l.status <> 'quarantined'`
  const last = sql`greatest(l.received_at, coalesce((select max(m.at) from lead_messages m
    where m.customer_id = l.customer_id and m.lead_id = l.id and m.direction = 'in' and not m.is_automatic), l.received_at))`
  const among = (column: RawBuilder<unknown>, values: readonly string[], type: 'bigint' | 'text') =>
    values.length === 0 ? sql`` : sql`and ${column} = any(${[...values]}::${sql.raw(type)}[])`
  const active = (days: number) =>
    sql`exists (select from leads l where ${own} and ${last} >= app_now() - ${days} * interval '1 day')`
  return sql`exists (select from leads l left join vehicles v on v.customer_id = l.customer_id and v.id = l.vehicle_id
      where ${own} ${among(sql`l.lot_id`, lotIds, 'bigint')} ${among(sql`l.type`, types, 'text')}
        ${among(sql`l.outcome`, outcomes, 'text')}
        ${among(
          sql`lower(coalesce(v.make, l.asked_vehicle ->> 'make'))`,
          makes.map((make) => make.toLowerCase()),
          'text',
        )})
    ${activeWithin === null ? sql`` : sql`and ${active(activeWithin)}`}
    ${quietFor === null ? sql`` : sql`and not ${active(quietFor)}`}`
}

/** How many are mailed, and how many aren't for which reason. */
export function countAudience(members: readonly AudienceMember[]): AudienceCount {
  const counts = Map.groupBy(members, ({ reason }) => reason)
  return {
    people: members.length,
    mailed: counts.get(null)?.length ?? 0,
    leftOut: LEFT_OUT.flatMap(({ value: reason }) => {
      const count = counts.get(reason)?.length ?? 0
      return count === 0 ? [] : [{ reason, count }]
    }),
  }
}
