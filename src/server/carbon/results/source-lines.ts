import { sql } from 'kysely'
import { Figure } from '#contract/carbon/factors/figure.ts'
import type { TotalLine, Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type Source = {
  id: string
  sourceType: string
  sourceName: string | null
  sourceLabel: string | null
  facilityName: string
}

/**
 * Names the totals by source, "Boiler 2, Auburn Boulevard", and its facility, largest first. A line's key is the ID of its
 * source.
 */
export async function nameSourceLines(db: Database, lines: readonly TotalLine[]): Promise<Totals['sources']> {
  if (lines.length === 0) return []
  const { rows } = await sql<Source>`
    select s.id::text, s.source_type, s.name as source_name, s.label as source_label, f.name as facility_name
    from emission_sources s join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
    where s.id = any(${lines.map(({ key }) => key)}::bigint[])`.execute(db)
  const sources = new Map(rows.map((source) => [source.id, source]))
  return lines
    .map((line) => {
      const source = sources.get(line.key)
      if (source === undefined) return { ...line, facilityName: '' }
      const { facilityName } = source
      return { ...line, title: `${sourceTitle(source)}, ${facilityName}`, facilityName }
    })
    .toSorted(
      (one, other) =>
        new Figure(other.location).comparedTo(one.location) || one.title.localeCompare(other.title, 'en'),
    )
}
