import { sql, type RawBuilder } from 'kysely'
import { REQUIRED_FIELDS } from '#contract/organizations/profile/profiles.ts'
import { ORGANIZATION_LIST } from '#contract/organizations/organization-list.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'

/** Every member may see the names of all organizations, but their numbers only within the user's reach. */
const isReached = sql`(organizations.id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
  or (select current_setting('app.reach', true)) = 'customer')`
const ofThis = (table: string) => sql`${sql.ref(`${table}.customer_id`)} = organizations.customer_id
  and ${sql.ref(`${table}.organization_id`)} = organizations.id`
const whereReached = (value: RawBuilder<unknown>) => sql`case when ${isReached} then ${value} end`

/** The number of required profile fields that are filled in. The columns are the field names in snake case. */
const filled = sql`coalesce((select num_nonnulls(${sql.join(
  REQUIRED_FIELDS.map((name) =>
    sql.ref(`p.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`),
  ),
)}) from organization_profiles p where ${ofThis('p')}), 0)`

/** A site or building with missing fields, as `findMissing` in the contract defines. */
export const isIncomplete = sql<boolean>`(f.level in ('site', 'building') and f.type is null or f.level = 'site' and (f.country is null
  or f.country = 'US' and f.grid_region is null or f.floor_area is null))`

const country = sql<string | null>`(select p.country from organization_profiles p where ${ofThis('p')})`
const facilities = sql`(select count(*)::int from facilities f where ${ofThis('f')})`
const incomplete = sql`exists (select from facilities f where ${ofThis('f')} and ${isIncomplete})`
const people = sql`(select count(*)::int from memberships m where ${ofThis('m')})`
const progress = sql`case when ${filled} = 0 and ${facilities} = 0 then 'empty'
  when ${filled} = ${sql.lit(REQUIRED_FIELDS.length)} and ${facilities} > 0 and not ${incomplete} then 'complete' else 'partly' end`

const status = sql<
  'active' | 'archived'
>`case when organizations.archived_at is null then 'active' else 'archived' end`

/** The derived columns of the list, by their names in the contract. */
export const ROW_FIGURES = {
  country,
  facilities: sql<number | null>`${whereReached(facilities)}`,
  people: sql<number | null>`${whereReached(people)}`,
  progress: sql<'empty' | 'partly' | 'complete' | null>`${whereReached(progress)}`,
  status,
}

/** The customer's organizations. */
export const organizationSource: ListSource<keyof typeof ORGANIZATION_LIST.fields> = {
  list: ORGANIZATION_LIST,
  from: sql`organizations`,
  within: (actor) => sql`organizations.customer_id = ${actor.customerId}`,
  id: sql`organizations.id`,
  title: sql`organizations.name`,
  fields: {
    name: { value: sql`organizations.name`, order: sql`organizations.name_key`, isNeverNull: true },
    country: { value: ROW_FIGURES.country },
    facilities: { value: ROW_FIGURES.facilities },
    people: { value: ROW_FIGURES.people },
    progress: { value: ROW_FIGURES.progress },
    status: { value: ROW_FIGURES.status, isNeverNull: true },
    timeZone: { value: sql`organizations.time_zone`, isNeverNull: true },
  },
  search: (text) => contains([sql.ref('organizations.name'), sql.ref('organizations.time_zone')], text),
}
