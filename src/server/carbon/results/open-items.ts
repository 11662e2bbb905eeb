import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readCells } from '../activity/requests/request-cells.ts'
import { FACILITIES_OF_SOURCES, facilitiesOf } from '../staleness/frozen-facilities.ts'

/** A number of rows with the name of what they belong to; the largest number first. */
type Share = Readonly<{ label: string; count: number }>
type OpenItems = Readonly<{
  /** Data owners who were asked for data and have entered none since, each with the number of such sources. */
  unanswered: Share[]
  /** Records that wait for a review, by facility. */
  submitted: Share[]
  /** Sources with records that have no result, by facility. */
  withoutResult: Share[]
}>

/** What keeps an inventory from being complete, besides missing data points. */
export async function readOpenItems(db: Database, inventoryId: string): Promise<OpenItems> {
  const cells = await readCells(db, inventoryId)
  const unanswered = cells.flatMap(({ asked }) =>
    asked !== null && asked.answeredAt === null ? [asked.dataOwnerName] : [],
  )
  const { rows: submitted } = await sql<Share>`
    select f.name as label, count(*)::int as count
    from activity_records r
    join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    ${FACILITIES_OF_SOURCES}
    where s.inventory_id = ${inventoryId} and r.replaced_at is null and r.status = 'submitted'
    group by f.id, f.name order by count(*) desc, f.name`.execute(db)
  const { rows: withoutResult } = await sql<Share>`
    select f.name as label, count(distinct t.source_id)::int as count
    from calculation_totals t ${facilitiesOf(sql`t`)}
    where t.inventory_id = ${inventoryId} and t.missing > 0
    group by f.id, f.name order by count(distinct t.source_id) desc, f.name`.execute(db)
  return {
    unanswered: [...Map.groupBy(unanswered, (name) => name)]
      .map(([label, sources]) => ({ label, count: sources.length }))
      .toSorted((one, other) => other.count - one.count),
    submitted,
    withoutResult,
  }
}
