import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import { roundedAway } from './bill-sums.ts'
import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'

/** More lines than this for the same days aren't added up. */
const MOST = 400

type Dated = ReadLine & { record: NonNullable<ReadLine['record']> }

/**
 * A line that is the sum of others has no word for it in many files: "All", "Building", or a quarter below its months. The user says
 * whether it counts, too.
 */
export function settleSums(lines: readonly ReadLine[], { questions }: Pick<ReadingPlan, 'questions'>): void {
  const open = lines.filter((read): read is Dated => read.record !== null && !read.isLeft && !read.isOpen)
  const bySource = Map.groupBy(
    open,
    ({ record, source }) => `${record.sourceId} ${record.unit ?? source?.unit}`,
  )
  for (const own of bySource.values()) {
    if (own.length < 3) continue
    for (const read of findSums(own)) {
      const amount = `${showFigure(read.record.quantity ?? '0', 16)} ${read.record.unit ?? read.source?.unit ?? ''}`
      const answer = questions.ask({
        id: 'sums',
        field: 'quantity',
        text: `Line ${read.line} has ${amount}, which is the sum of other lines for its days. Does it count, too?`,
        choices: [
          { value: 'leave', label: 'No: it is their total. Leave it out' },
          { value: 'count', label: 'Yes: it is another bill' },
        ],
        proposal: null,
      })
      if (answer === null)
        waits(read, 'quantity', 'It is the sum of other lines for its days. Say whether it counts, too.')
      if (answer === 'leave') leave(read, 'quantity', 'Left out: the sum of other lines.')
    }
  }
}

const usedIn = ({ record }: Dated): Figure =>
  record.quantity === null
    ? new Figure(record.meterTo ?? 0).minus(record.meterFrom ?? 0)
    : new Figure(record.quantity)

/** Lines with the sum of at least two others: for the same days, or of all that lie within its days. */
function findSums(lines: readonly Dated[]): Dated[] {
  const byDays = Map.groupBy(lines, ({ record }) => `${record.periodStart} ${record.periodEnd}`)
  const sumOf = (all: readonly Dated[]) => all.reduce((sum, one) => sum.plus(usedIn(one)), new Figure(0))
  const isSumOf = (read: Dated, parts: readonly Dated[]): boolean => {
    const used = usedIn(read)
    return (
      parts.length >= 2 &&
      used.gt(0) &&
      parts.every((one) => usedIn(one).gt(0)) &&
      used.minus(sumOf(parts)).abs().lte(roundedAway(used, parts.length))
    )
  }
  const ofOneDay = [...byDays.values()].flatMap((own) => {
    if (own.length < 3 || own.length > MOST) return []
    const all = sumOf(own)
    // The total is half of everything.
    return own.filter(
      (read) =>
        isNearHalf(usedIn(read), all) &&
        isSumOf(
          read,
          own.filter((one) => one !== read),
        ),
    )
  })
  if (lines.length > MOST) return ofOneDay
  const ofLonger = lines.filter((read) => {
    const { periodStart, periodEnd } = read.record
    const within = lines.filter(
      ({ record }) =>
        record.periodStart >= periodStart &&
        record.periodEnd <= periodEnd &&
        (record.periodStart !== periodStart || record.periodEnd !== periodEnd),
    )
    return isSumOf(read, within)
  })
  return [...new Set([...ofOneDay, ...ofLonger])]
}

const isNearHalf = (one: Figure, all: Figure): boolean =>
  one.times(2).minus(all).abs().lte(all.times('0.001'))
