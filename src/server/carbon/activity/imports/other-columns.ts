import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { bareNumber } from './bill-identity.ts'
import { plainHeading } from './column-roles.ts'
import { isOfMeter } from './meters.ts'
import type { ReadingPlan, ReadLine } from './read-line.ts'

/** The numbers of lines tell nothing. */
export const IS_COUNTER = /^(no|nr|num|number|nummer|numero|id|line|row|#)\.?$/i

/** What tells the parts of one bill apart. */
const TARIFF =
  /(^| )(rate|tariff|tiers?|steps?|blocks?|baseline|line item|staffel|tranche|tramo|time of use|tou|time of day|peak|band|register|channel|season|tarif\w*|zeitzone|fascia|periodo tarifario|plage|poste horaire|stawka|strefa)( |$)/
export const isTariff = ({ title }: { title: string }): boolean => TARIFF.test(plainHeading(title))

/** A column that no field takes, and whose values look like numbers of devices, places or papers. */
export type OtherColumn = Readonly<{ place: number; title: string }>

export function otherColumns({
  mapping,
  proposal,
}: Pick<ReadingPlan, 'mapping' | 'proposal'>): OtherColumn[] {
  const mapped = Object.values(mapping.columns)
  const isCode = (text: string) => /\d/.test(text) && !/\d[.,]\d/.test(text) && text.length <= 40
  return proposal.evidence.filter(
    (one) =>
      !mapped.includes(one.place) &&
      (one.role === null || one.role === 'identifier' || one.role === 'facility') &&
      !one.isDate &&
      !one.isTime &&
      one.unit === null &&
      !isOfMeter(one) &&
      !IS_COUNTER.test(one.title.trim()) &&
      one.values.length > 0 &&
      one.values.every(isCode),
  )
}

/** What the lines of earlier files had in columns of these names, by record and heading. */
export async function readOtherCells(
  db: Database,
  recordIds: readonly string[],
  columns: readonly OtherColumn[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  if (columns.length === 0 || recordIds.length === 0) return new Map()
  const { rows } = await sql<{ recordId: string; cells: string[]; titles: string[] }>`
    select l.record_id::text, l.cells, i.titles from activity_import_lines l
    join activity_imports i on i.customer_id = l.customer_id and i.id = l.import_id
    where l.record_id = any(${[...recordIds]}::bigint[]) and l.cells is not null order by l.import_id`.execute(
    db,
  )
  const wanted = new Set(columns.map(({ title }) => plainHeading(title)))
  return new Map(
    rows.map(({ recordId, cells, titles }) => [
      recordId,
      new Map(
        titles.flatMap((title, place) => {
          const [heading, cell] = [plainHeading(title), cells[place]?.trim() ?? '']
          return wanted.has(heading) && cell !== '' ? [[heading, cell] as const] : []
        }),
      ),
    ]),
  )
}

/** The first of these columns in which a line and a record differ. */
export function findDifference(
  { raw }: Pick<ReadLine, 'raw'>,
  cells: ReadonlyMap<string, string> | undefined,
  columns: readonly OtherColumn[],
): { title: string; before: string; now: string } | null {
  for (const { place, title } of columns) {
    const [before, now] = [cells?.get(plainHeading(title)) ?? '', raw[place]?.trim() ?? '']
    if (before !== '' && now !== '' && bareNumber(before) !== bareNumber(now)) return { title, before, now }
  }
  return null
}
