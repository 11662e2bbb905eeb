import { sql } from 'kysely'
import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'

type Stored = { id: string; version: number; sourceId: string; day: string; quantity: string; unit: string }

/**
 * Days that a meter measured and that are already there with another use: read again, or other hours of them. The user says which.
 * Bills with a number are compared by that.
 * @returns the records that lines replace, by the key of the line
 */
export async function findSameDays(
  db: Database,
  lines: readonly ReadLine[],
  { questions, context: { units } }: Pick<ReadingPlan, 'questions' | 'context'>,
): Promise<Map<string, { id: string; version: number }>> {
  const found = new Map<string, { id: string; version: number }>()
  const isMeasured = ({ record, source }: ReadLine): boolean => {
    const read = readUnit(units, record?.unit ?? source?.unit ?? '')
    return 'unit' in read && read.unit.dimension === 'energy'
  }
  const days = lines.filter(
    (read) =>
      read.record !== null &&
      !read.isLeft &&
      !read.isOpen &&
      read.record.periodStart === read.record.periodEnd &&
      (read.record.reference === null || read.others !== undefined) &&
      isMeasured(read),
  )
  if (days.length === 0) return found
  const { rows } = await sql<Stored>`
    select r.id::text, r.version, r.source_id::text, r.period_start::text as day, trim_scale(r.quantity)::text as quantity, r.unit
    from activity_records r
    where r.source_id = any(${[...new Set(days.map(({ record }) => record?.sourceId ?? ''))]}::bigint[])
      and r.period_start = any(${[...new Set(days.map(({ record }) => record?.periodStart ?? ''))]}::date[])
      and r.period_end = r.period_start and r.replaced_at is null and r.kind <> 'estimate' and r.quantity > 0
      and r.unit is not null order by r.id`.execute(db)
  const byDay = Map.groupBy(rows, ({ sourceId, day }) => `${sourceId} ${day}`)
  for (const read of days) {
    const { record } = read
    const stored = byDay.get(`${record?.sourceId ?? ''} ${record?.periodStart ?? ''}`) ?? []
    const [before, ...more] = stored
    const isSame = (one: Stored) =>
      one.unit === (record?.unit ?? read.source?.unit) &&
      new Figure(one.quantity).equals(record?.quantity ?? 0)
    if (before === undefined || stored.some(isSame)) continue
    const [old, now] = [
      stored.map(({ quantity, unit }) => `${showFigure(quantity, 16)} ${unit}`).join(' and '),
      `${showFigure(record?.quantity ?? '0', 16)} ${record?.unit ?? read.source?.unit ?? ''}`,
    ]
    const isOne = more.length === 0
    const answer = questions.ask({
      id: isOne ? 'sameDay' : 'sameDays',
      field: 'periodStart',
      text: `${record?.periodStart ?? ''} is already there with ${old}. The file says ${now}. Is it a correction?`,
      choices: [
        ...(isOne
          ? [{ value: 'replace', label: 'Replace the earlier use of the day. It stays in the history' }]
          : []),
        { value: 'both', label: 'Keep both: other hours of the day, or another meter' },
        { value: 'leave', label: 'Leave these days of the file out' },
      ],
      proposal: null,
    })
    if (answer === null)
      waits(read, 'periodStart', `This day is already there, with ${old}. Say whether this replaces it.`)
    if (answer === 'leave') leave(read, 'periodStart', 'Left out: the earlier use of the day stays.')
    if (answer === 'replace') found.set(read.key, { id: before.id, version: before.version })
  }
  return found
}
