import { type RawBuilder, sql } from 'kysely'
import type { UserUses } from '#contract/identity/users/users.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type UserUse = Readonly<{
  nouns: readonly [string, string]
  /** The columns that name users. */
  columns: readonly string[]
  /** Selects the names of what a user has; null where only the number is of interest. */
  from: (id: string) => RawBuilder<unknown>
}>

const destinationsOf = (id: string) =>
  sql`select d.id, d.name from lead_destinations d where d.user_id = ${id}::bigint or ${id}::bigint = any(d.member_ids)`

/** What is left without someone when a user is deleted. `user-uses.test.ts` asks of each reference to users whether it is here. */
export const USER_USES: readonly UserUse[] = [
  {
    nouns: ['lead destination', 'lead destinations'],
    columns: ['lead_destinations.user_id', 'lead_destinations.member_ids'],
    from: (id) => sql`select name from (${destinationsOf(id)}) d`,
  },
  {
    nouns: ['lead routing rule', 'lead routing rules'],
    columns: [],
    from: (
      id,
    ) => sql`select distinct r.name from lead_routing_rules r cross join jsonb_array_elements(r.targets) t
      join (${destinationsOf(id)}) d on d.id = (t ->> 'destinationId')::bigint where r.is_active`,
  },
  {
    nouns: ['feed source that runs with their permissions', 'feed sources that run with their permissions'],
    columns: [],
    from: (id) => sql`select name from feed_sources where user_id = ${id} and is_active`,
  },
  {
    nouns: ['lot as its lead manager', 'lots as their lead manager'],
    columns: ['lot_lead_settings.manager_id'],
    from: (id) => sql`select l.name from lot_lead_settings s
      join lots l on l.customer_id = s.customer_id and l.id = s.lot_id where s.manager_id = ${id}`,
  },
  {
    nouns: ['open lead', 'open leads'],
    columns: ['leads.owner_id'],
    from: (id) =>
      sql`select null::text from leads where owner_id = ${id} and outcome not in ('sold', 'lost')`,
  },
  {
    nouns: ['carbon inventory', 'carbon inventories'],
    columns: [
      'carbon_inventories.owner_id',
      'carbon_inventories.reviewer_id',
      'carbon_inventories.approver_id',
    ],
    from: (id) => sql`select name from carbon_inventories where ${id} in (owner_id, reviewer_id, approver_id)
      and status not in ('locked', 'restated')`,
  },
  {
    nouns: ['emission source', 'emission sources'],
    columns: ['emission_sources.data_owner_id'],
    from: (id) => sql`select null::text from emission_sources where data_owner_id = ${id} and not closed`,
  },
  {
    nouns: ['assessment', 'assessments'],
    columns: ['assessment_people.user_id'],
    from: (id) => sql`select distinct a.name from assessment_people p
      join assessment_targets t on t.customer_id = p.customer_id and t.id = p.target_id
      join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
      where p.user_id = ${id} and a.status <> 'closed'`,
  },
  {
    nouns: ['action', 'actions'],
    columns: ['assessment_actions.owner_id'],
    from: (id) => sql`select title from assessment_actions where owner_id = ${id}`,
  },
  {
    nouns: ['account as its administrator', 'accounts as their administrator'],
    columns: ['customers.administrator_id'],
    from: (id) => sql`select name from customers where administrator_id = ${id}`,
  },
]

/** Names said per kind; more are counted. */
const MOST = 3
const LIST = new Intl.ListFormat('en')

/** What a user is used by, as far as the caller reaches it, and why that stops their deletion. */
export async function readUserUses(db: Database, id: string): Promise<UserUses> {
  const kinds = USER_USES.map(({ from }, at) => sql`select ${at}::int, u.name from (${from(id)}) u (name)`)
  const { rows } = await sql<{ at: number; total: number; names: string[] }>`
    select at, count(*)::int as total, (array_agg(name order by name) filter (where name is not null))[1:${sql.lit(MOST)}] as names
    from (${sql.join(kinds, sql` union all `)}) u (at, name) group by at order by at`.execute(db)
  return {
    uses: rows.map(({ at, total, names }) => {
      const [one, many] = USER_USES[at]?.nouns ?? ['record', 'records']
      return { noun: total === 1 ? one : many, total, names: names ?? [] }
    }),
    refusal: await findOrphans(db, id),
  }
}

/** Keeps other changes of the lead destinations of a user waiting, so that two deletions don't empty a team. */
export async function lockDestinationsOf(db: Database, id: string): Promise<void> {
  await sql`select from lead_destinations d where d.user_id = ${id}::bigint or ${id}::bigint = any(d.member_ids) for update`.execute(
    db,
  )
}

/** Why a user can't be deleted: active lead destinations that would be left with no one. Null if there are none. */
export async function findOrphans(db: Database, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string; kind: string }>`
    select d.name, d.kind from lead_destinations d where d.is_active and (d.kind = 'user' and d.user_id = ${id}::bigint
      or d.kind = 'team' and ${id}::bigint = any(d.member_ids) and not exists (
        select from users u where u.customer_id = d.customer_id and u.id = any(d.member_ids) and u.id <> ${id}::bigint and u.is_active))
    order by d.kind, d.name`.execute(db)
  if (rows.length === 0) return null
  const names = rows.map(({ name, kind }) => `the ${kind === 'team' ? 'team' : 'lead destination'} ${name}`)
  return `No one would be left in ${LIST.format(names)}. Choose someone else there first, or pause it.`
}
