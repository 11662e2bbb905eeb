import { sql } from 'kysely'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import {
  amountOf,
  leave,
  type ReadingPlan,
  type ReadLine,
  takeUse,
  usedIn,
  useKey,
  useKeyOf,
  waits,
} from './read-line.ts'

type Stored = {
  id: string
  version: number
  sourceId: string
  first: string
  last: string
  quantity: string
  unit: string
}

/**
 * Days that are already there with another use: read again, corrected, or of another meter. The user says which. Lines with a number
 * are compared by that.
 * @returns the records that lines replace, by the key of the line
 */
export async function findSameDays(
  db: Database,
  lines: readonly ReadLine[],
  { questions, context: { units } }: Pick<ReadingPlan, 'questions' | 'context'>,
): Promise<Map<string, { id: string; version: number }>> {
  const found = new Map<string, { id: string; version: number }>()
  const own = lines.filter(
    (read) =>
      read.record !== null &&
      !read.isLeft &&
      !read.isOpen &&
      !usedIn(read).isNegative() &&
      (read.record.reference === null || read.others !== undefined),
  )
  if (own.length === 0) return found
  const { rows } = await sql<Stored>`
    select r.id::text, r.version, r.source_id::text, r.period_start::text as first, r.period_end::text as last, trim_scale(r.quantity)::text as quantity, r.unit
    from activity_records r
    where r.source_id = any(${[...new Set(own.map(({ record }) => record?.sourceId ?? ''))]}::bigint[])
      and r.period_start = any(${[...new Set(own.map(({ record }) => record?.periodStart ?? ''))]}::date[])
      and r.replaced_at is null and r.kind <> 'estimate' and r.quantity > 0
      and r.unit is not null order by r.id`.execute(db)
  const byDay = Map.groupBy(rows, ({ sourceId, first, last }) => `${sourceId} ${first} ${last}`)
  const dayOf = ({ record }: ReadLine) =>
    `${record?.sourceId ?? ''} ${record?.periodStart ?? ''} ${record?.periodEnd ?? ''}`
  const isSame = ({ quantity, unit }: Stored, read: ReadLine) =>
    useKey(units, quantity, unit) === useKeyOf(units, read)
  const ofDay = Map.groupBy(own, dayOf)
  for (const read of own) {
    const all = byDay.get(dayOf(read)) ?? []
    const known = all.find((one) => isSame(one, read))
    if (known !== undefined) {
      takeUse(read, known)
      continue
    }
    // A car is filled up twice a day: what the file has, too, isn't corrected by another of its lines.
    const stored = all.filter((one) => ofDay.get(dayOf(read))?.some((line) => isSame(one, line)) !== true)
    const [before, ...more] = stored
    if (before === undefined) continue
    const old = stored.map(({ quantity, unit }) => `${showFigure(quantity, 16)} ${unit}`).join(' and ')
    const isOne = more.length === 0
    const { first, last } = before
    const days = first === last ? first : `${first} to ${last}`
    const answer = questions.ask({
      id: isOne ? 'sameDay' : 'sameDays',
      field: 'periodStart',
      text: `${days} is already there with ${old}. The file says ${amountOf(read)}. Is it a correction?`,
      choices: [
        ...(isOne ? [{ value: 'replace', label: 'Replace the earlier use. It stays in the history' }] : []),
        { value: 'both', label: 'Keep both: another meter, or other hours of the day' },
        { value: 'leave', label: 'Leave these days of the file out' },
      ],
      proposal: null,
    })
    if (answer === null)
      waits(read, 'periodStart', `${days} is already there, with ${old}. Say whether this replaces it.`)
    if (answer === 'leave') leave(read, 'periodStart', 'Left out: the earlier use stays.')
    if (answer === 'replace') found.set(read.key, { id: before.id, version: before.version })
  }
  return found
}
