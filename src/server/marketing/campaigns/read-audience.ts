import { type RawBuilder, sql } from 'kysely'
import {
  type Audience,
  type AudienceCount,
  LEFT_OUT,
  type LeftOut,
} from '#contract/marketing/campaigns/audience.ts'
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

type Row = { personId: string; name: string | null; firstName: string | null; email: string | null }
/** What was said last about emails to an address, by anyone who has it. */
type EmailWish = Readonly<{
  marketing: 'given' | 'declined' | 'revoked' | null
  /** They don't want any email, not even answers. */
  isRefused: boolean
}>

/** Of a large customer. */
const READ_MS = 60_000
const NOTHING: EmailWish = { marketing: null, isRefused: false }

/**
 * Everyone a campaign is for, and why each of the others isn't mailed. Counting, previewing and sending all read this, so that they agree.
 * @param personIds only these, whether or not their leads still match: what was withdrawn since counts
 */
export async function readAudience(
  db: Database,
  of: Readonly<{ organizationId: string; audience: Audience; personIds?: readonly string[] }>,
): Promise<AudienceMember[]> {
  await allowLongStatements(db, READ_MS)
  const ids = of.personIds ?? (await findMatching(db, of))
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select p.id::text as person_id, p.name, p.first_name, p.email from people p
    where p.organization_id = ${of.organizationId} and p.merged_into_id is null and p.id = any(${[...ids]}::bigint[])
    order by p.id`.execute(db)
  const keys = [...new Set(rows.flatMap(({ email }) => email?.toLowerCase() ?? []))]
  const said = await readSaid(db, of.organizationId, keys)
  const { rows: suppressed } = await sql<{ key: string }>`
    select email_key as key from suppressed_addresses where email_key = any(${keys}::text[])`.execute(db)
  const isSuppressed = new Set(suppressed.map(({ key }) => key))
  const taken = new Set<string>()
  return rows.map((row) => {
    const person = { ...row, firstName: row.firstName ?? firstNameIn(row.name) }
    const key = row.email?.toLowerCase() ?? ''
    const reason = reasonAgainst(row.email, isSuppressed.has(key), said.get(key) ?? NOTHING)
    if (reason !== null) return { ...person, reason }
    if (taken.has(key)) return { ...person, reason: 'duplicate' as const }
    taken.add(key)
    return { ...person, reason: null }
  })
}

/**
 * By address, the latest word of everyone who has it. In steps that each read an index once: as one statement, PostgreSQL read the
 * consents of the whole organization for each person (18 s for 300 people).
 */
async function readSaid(
  db: Database,
  organizationId: string,
  keys: readonly string[],
): Promise<Map<string, EmailWish>> {
  const { rows: holders } = await sql<{ key: string; mainId: string }>`
    select c.value_key as key, coalesce(p.merged_into_id, p.id)::text as main_id
    from person_contacts c join people p on p.customer_id = c.customer_id and p.id = c.person_id
    where c.organization_id = ${organizationId} and c.kind = 'email' and c.value_key = any(${[...keys]}::text[])`.execute(
    db,
  )
  const mains = [...new Set(holders.map(({ mainId }) => mainId))]
  const { rows: records } = await sql<{ id: string; mainId: string }>`
    select p.id::text, p.id::text as main_id from people p where p.id = any(${mains}::bigint[])
    union all select p.id::text, p.merged_into_id::text from people p where p.merged_into_id = any(${mains}::bigint[])`.execute(
    db,
  )
  const mainOf = new Map(records.map(({ id, mainId }) => [id, mainId]))
  const { rows: events } = await sql<{
    personId: string
    purpose: 'marketing' | 'inquiry'
    kind: 'given' | 'declined' | 'revoked'
  }>`
    select e.person_id::text, e.purpose, e.kind from consent_events e
    where e.organization_id = ${organizationId} and e.channel = 'email' and e.person_id = any(${[...mainOf.keys()]}::bigint[])
      and (e.purpose = 'marketing' or e.purpose = 'inquiry' and e.kind <> 'declined')
    order by e.at, e.id`.execute(db)
  const keysOf = Map.groupBy(holders, ({ mainId }) => mainId)
  const said = new Map<string, EmailWish>()
  for (const { personId, purpose, kind } of events) {
    for (const { key } of keysOf.get(mainOf.get(personId) ?? '') ?? []) {
      const before = said.get(key) ?? NOTHING
      said.set(
        key,
        purpose === 'marketing'
          ? { ...before, marketing: kind }
          : { ...before, isRefused: kind === 'revoked' },
      )
    }
  }
  return said
}

function reasonAgainst(
  email: string | null,
  isSuppressed: boolean,
  { marketing, isRefused }: EmailWish,
): LeftOut | null {
  if (email === null) return 'email'
  if (isPlaceholderEmail(email)) return 'placeholder'
  if (isSuppressed) return 'suppressed'
  if (isRefused || marketing === 'revoked') return 'revoked'
  if (marketing === 'declined') return 'declined'
  return marketing === 'given' ? null : 'consent'
}

/** Many forms ask for the whole name. */
function firstNameIn(name: string | null): string | null {
  if (name === null || isPlaceholderName(name)) return null
  return name.trim().split(/\s+/)[0] ?? null
}

/** The people whose leads are what the audience names, under the row that each is shown with. */
async function findMatching(
  db: Database,
  { organizationId, audience }: { organizationId: string; audience: Audience },
): Promise<string[]> {
  if (audience.listIds.length > 0) return findListed(db, organizationId, audience.listIds)
  const { lotIds, types, outcomes, makes, activeWithin, quietFor } = audience
  const among = (column: RawBuilder<unknown>, values: readonly string[], type: 'bigint' | 'text') =>
    values.length === 0 ? sql`` : sql`and ${column} = any(${[...values]}::${sql.raw(type)}[])`
  const make = sql`lower(coalesce(v.make, l.asked_vehicle ->> 'make'))`
  const last = sql`max(greatest(l.received_at, m.at))`
  const ago = (days: number) => sql`app_now() - ${days} * interval '1 day'`
  const { rows } = await sql<{ id: string }>`
    with m as materialized (
      select lead_id, max(at) as at from lead_messages
      where organization_id = ${organizationId} and direction = 'in' and not is_automatic group by 1
    )
    select coalesce(p.merged_into_id, p.id)::text as id
    from leads l join people p on p.customer_id = l.customer_id and p.id = l.person_id
    left join m on m.lead_id = l.id
    left join vehicles v on v.customer_id = l.customer_id and v.id = l.vehicle_id
    where l.organization_id = ${organizationId} and not l.is_test and l.status <> 'quarantined'
    group by 1
    having bool_or(true ${among(sql`l.lot_id`, lotIds, 'bigint')} ${among(sql`l.type`, types, 'text')}
        ${among(sql`l.outcome`, outcomes, 'text')} ${among(
          make,
          makes.map((one) => one.toLowerCase()),
          'text',
        )})
      ${activeWithin === null ? sql`` : sql`and ${last} >= ${ago(activeWithin)}`}
      ${quietFor === null ? sql`` : sql`and ${last} < ${ago(quietFor)}`}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The people of imported lists. Who gave no proof and has not confirmed has no consent, and is left out by that. */
async function findListed(
  db: Database,
  organizationId: string,
  listIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct coalesce(p.merged_into_id, p.id)::text as id from imported_list_people e
    join people p on p.customer_id = e.customer_id and p.id = e.person_id
    where e.organization_id = ${organizationId} and e.list_id = any(${[...listIds]}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
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
