import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { FACILITIES_OF_SOURCES } from '../../staleness/frozen-facilities.ts'

/** A month of a source type at a facility whose emissions have no counterpart in the other inventory. */
export type UnmatchedMonth = Readonly<{ facilityId: string; sourceType: string; month: string }>

/** What is known about a source type at a facility in one month of an inventory. `at`: months since the inventory began. */
export type MonthOfSource = Readonly<{
  facilityId: string
  sourceType: string
  frequency: 'month' | 'quarter' | 'year'
  month: string
  at: number
  /** Days that records or imported totals cover, summed over the sources of the type. */
  days: number
  /** The facility was open. */
  isOpen: boolean
}>

/** Two data points are the same if their covered days differ by no more than this, or by a tenth. */
const FEW_DAYS = 3

/**
 * The months of two inventories that can't be compared, because only one of them has the data. A data point is a month,
 * a quarter or the whole period, by how often the source reports. A facility that closed or opened did change: its months
 * are compared.
 */
export async function findUnmatchedMonths(
  db: Database,
  ids: { before: string; after: string },
): Promise<{ before: UnmatchedMonth[]; after: UnmatchedMonth[] }> {
  return unmatchedMonths(await readMonths(db, ids.before), await readMonths(db, ids.after))
}

const placeOf = ({ facilityId, sourceType }: MonthOfSource): string => `${facilityId}/${sourceType}`

/** The rule of `findUnmatchedMonths`. */
export function unmatchedMonths(
  before: readonly MonthOfSource[],
  after: readonly MonthOfSource[],
): { before: UnmatchedMonth[]; after: UnmatchedMonth[] } {
  const [first, second] = [Map.groupBy(before, placeOf), Map.groupBy(after, placeOf)]
  const found: { before: MonthOfSource[]; after: MonthOfSource[] } = { before: [], after: [] }
  for (const [place, own] of first) {
    const other = second.get(place)
    // Only one inventory has the source: a change in boundary or activity.
    if (other === undefined) continue
    const size = Math.max(...[...own, ...other].map(({ frequency }) => SIZES[frequency]))
    const pointOf = ({ at }: MonthOfSource): number => Math.floor(at / size)
    const [mine, theirs] = [Map.groupBy(own, pointOf), Map.groupBy(other, pointOf)]
    for (const point of new Set([...mine.keys(), ...theirs.keys()])) {
      const [one = [], another = []] = [mine.get(point), theirs.get(point)]
      if (isSame(one, another)) continue
      found.before.push(...one)
      found.after.push(...another)
    }
  }
  return { before: found.before.map(shorten), after: found.after.map(shorten) }
}

const SIZES = { month: 1, quarter: 3, year: 1_200 } as const

const shorten = ({ facilityId, sourceType, month }: MonthOfSource): UnmatchedMonth => ({
  facilityId,
  sourceType,
  month,
})

function isSame(one: readonly MonthOfSource[], other: readonly MonthOfSource[]): boolean {
  const days = (months: readonly MonthOfSource[]): number =>
    months.reduce((sum, month) => sum + month.days, 0)
  const isClosed = (months: readonly MonthOfSource[]): boolean =>
    months.length > 0 && months.every(({ isOpen }) => !isOpen)
  if (isClosed(one) || isClosed(other)) return true
  const [least = 0, most = 0] = [days(one), days(other)].toSorted((a, b) => a - b)
  if (most === 0) return true
  return least > 0 && most - least <= Math.max(FEW_DAYS, most / 10)
}

async function readMonths(db: Database, inventoryId: string): Promise<MonthOfSource[]> {
  const { rows } = await sql<MonthOfSource>`
    with sources as (
      select s.*, i.period_start as first, i.period_end as last, f.opened_on, f.closed_on
      from emission_sources s
      join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
      ${FACILITIES_OF_SOURCES}
      join inventory_facilities d on d.customer_id = s.customer_id and d.inventory_id = s.inventory_id
        and d.facility_id = s.facility_id and not d.excluded
      where s.inventory_id = ${inventoryId}
    ),
    covered as (
      select source_id, range_agg(daterange(period_start, period_end, '[]')) as days from (
        select source_id, period_start, period_end from activity_records
        where source_id in (select id from sources) and replaced_at is null
        union all select source_id, period_start, period_end from imported_totals
        where source_id in (select id from sources) and removed_at is null) k
      group by source_id
    )
    select s.facility_id::text, s.source_type, m.month::date::text as month, m.at::int - 1 as at,
      (array['month', 'quarter', 'year'])[max(case s.frequency when 'month' then 1 when 'quarter' then 2 else 3 end)] as frequency,
      coalesce(sum((select sum(upper(d) - lower(d)) from unnest(c.days * datemultirange(n.days)) d)), 0)::int as days,
      bool_or(not isempty(n.days)) as is_open
    from sources s left join covered c on c.source_id = s.id
    cross join lateral generate_series(date_trunc('month', s.first::timestamp), s.last::timestamp, interval '1 month')
      with ordinality m(month, at)
    cross join lateral (select case when coalesce(s.opened_on, s.first) > b.upto or coalesce(s.closed_on, s.last) < b.since
        then 'empty'::daterange else daterange(b.since, b.upto, '[]') end as days
      from (select greatest(m.month::date, s.first) as since,
        least((m.month + interval '1 month - 1 day')::date, s.last) as upto) b) n
    where not s.closed or c.days is not null
    group by 1, 2, 3, 4`.execute(db)
  return rows
}
