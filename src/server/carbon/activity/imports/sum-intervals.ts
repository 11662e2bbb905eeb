import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { minutesIn } from './import-day.ts'
import { type ReadLine, wrong } from './read-line.ts'

/**
 * The quarter hours and hours of a smart meter as one line for each day. An interval that a file has twice counts once, except in
 * the hour that a day in autumn has twice. Days that lack intervals say so.
 */
export function sumIntervals(lines: readonly ReadLine[]): ReadLine[] {
  const left = lines.filter(({ record, isLeft, isOpen }) => record === null && (isLeft || isOpen))
  const failed = lines.filter(({ record, isLeft, isOpen }) => record === null && !isLeft && !isOpen)
  const days = [
    ...Map.groupBy(
      lines.filter(({ record }) => record !== null),
      ({ record, source }) => `${source?.id ?? ''} ${record?.periodStart ?? ''} ${record?.unit ?? ''}`,
    ).values(),
  ]
  const counts = days.map((own) => own.length)
  const usual = mostFrequent(counts)
  const summed = days.flatMap((own) =>
    sumDay(own, usual, { isAtEdge: own === days[0] || own === days.at(-1) }),
  )
  return [...summed, ...left, ...failed].toSorted(
    (one, other) => one.line - other.line || one.place - other.place,
  )
}

function mostFrequent(counts: readonly number[]): number {
  const groups = Map.groupBy(counts, (count) => count)
  return (
    [...groups].toSorted((one, other) => other[1].length - one[1].length || other[0] - one[0])[0]?.[0] ?? 0
  )
}

function sumDay(own: readonly ReadLine[], usual: number, { isAtEdge }: { isAtEdge: boolean }): ReadLine[] {
  const [first] = own
  if (first?.record === null || first === undefined) return []
  const kept = new Map<string, ReadLine>()
  let twice = 0
  for (const read of own) {
    const minutes = minutesIn(read.cells.time ?? read.cells.periodStart ?? '')
    const key =
      minutes === null || isRepeatedHour(read, minutes)
        ? read.key
        : `${minutes} ${read.record?.quantity ?? ''}`
    if (kept.has(key) && minutes !== null) twice += 1
    else kept.set(key, read)
  }
  const quantity = [...kept.values()].reduce(
    (sum, { record }) => sum.plus(record?.quantity ?? 0),
    new Figure(0),
  )
  const costs = [...kept.values()].flatMap(({ record }) => record?.cost ?? [])
  const cost = costs.length === 0 ? null : plain(costs.reduce((sum, one) => sum.plus(one), new Figure(0)))
  const missing = usual - kept.size
  const problems = [...first.problems]
  if (twice > 0)
    problems.push({
      field: 'periodStart',
      level: 'warning',
      message: `The file has ${twice} ${twice === 1 ? 'interval' : 'intervals'} of this day twice. Each counts once.`,
    })
  // In spring a day has an hour less.
  if (missing > 0 && missing !== Math.round(usual / 24))
    problems.push({
      field: 'quantity',
      level: 'warning',
      message: `Only ${kept.size} of ${usual} intervals${isAtEdge ? '' : ' of this day'} are in the file.`,
    })
  const day: ReadLine = {
    ...first,
    others: own.slice(1).map(({ line, place, raw }) => ({ line, place, raw })),
    problems,
    cells: { ...first.cells, quantity: plain(quantity), ...(cost !== null && { cost }) },
    record: { ...first.record, quantity: plain(quantity), cost },
  }
  if (quantity.isNegative()) {
    day.record = null
    wrong(
      day,
      'quantity',
      'More energy was sent back on this day than used. Enter its use without what was sent back.',
    )
  }
  return [day]
}

/** Between 1:00 and 3:00 on a Sunday in October or November, clocks may go back. */
function isRepeatedHour({ record }: ReadLine, minutes: number): boolean {
  const day = new Date(`${record?.periodStart ?? ''}T00:00:00Z`)
  const month = day.getUTCMonth() + 1
  return day.getUTCDay() === 0 && (month === 10 || month === 11) && minutes >= 60 && minutes < 180
}
