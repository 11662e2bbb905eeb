import { sql } from 'kysely'
import { MOST_ACTIVITIES, type SourceActivity } from '#contract/carbon/inventories/custom-sources.ts'
import { SOURCE_TYPES, defaultsFor } from '#contract/carbon/inventories/source-types.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Activities whose names, categories and paths contain all words, one entry for each. Custom factors come first, then
 * imported ones, standard sources and the library, each by name.
 * @param country of the organization, for the activity and unit of standard sources.
 */
export async function findActivities(
  db: Database,
  { search, country }: { search: string; country: string | null },
): Promise<SourceActivity[]> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const standard = standardActivities(country).filter(({ name, activity }) =>
    words.every((word) => `${name} ${activity}`.toLowerCase().includes(word)),
  )
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`)
  const { rows } = await sql<SourceActivity>`
    select f.activity, min(f.name) as name, min(f.category) as category, o.origin,
      coalesce((select array_agg(distinct x.scope) from unnest(array_agg(array_to_string(f.scopes, ' '))) w(words)
        cross join lateral string_to_table(w.words, ' ') x(scope) where x.scope ~ '^(1|2|3[.].*)$'), '{}') as scopes,
      array_agg(distinct f.unit) as units, array_agg(distinct f.region) as regions
    from library.factors f
    cross join lateral (select case when f.customer_id is null then 'library' when f.dataset_id is null then 'own'
      else 'imported' end as origin) o
    where f.use = 'inventory' and f.superseded_by is null
      and lower(f.name || ' ' || f.category || ' ' || f.activity) like all (${patterns}::text[])
    group by f.activity, o.origin
    order by case o.origin when 'own' then 0 when 'imported' then 1 else 2 end, min(f.name), f.activity
    limit ${MOST_ACTIVITIES}`.execute(db)
  const isFirst = ({ origin }: SourceActivity) => origin !== 'library'
  return [
    ...rows.filter(isFirst),
    ...standard,
    ...rows.filter((row) => !isFirst(row) && standard.every(({ activity }) => activity !== row.activity)),
  ].slice(0, MOST_ACTIVITIES)
}

const standardActivities = (country: string | null): SourceActivity[] =>
  SOURCE_TYPES.map((type) => {
    const { activity, unit } = defaultsFor(type, country)
    return {
      activity,
      name: type.title,
      category: 'Standard sources',
      origin: 'standard',
      scopes: [type.scope],
      units: [unit],
      regions: [],
    }
  })

/** Whether any factor has this activity, or a standard source uses it. */
export async function isKnownActivity(db: Database, activity: string): Promise<boolean> {
  if (SOURCE_TYPES.some(({ us, elsewhere }) => us[0] === activity || elsewhere[0] === activity)) return true
  const { rows } = await sql`select from library.factors where activity = ${activity} limit 1`.execute(db)
  return rows.length > 0
}
