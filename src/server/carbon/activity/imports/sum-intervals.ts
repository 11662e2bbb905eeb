import { dayAfter } from '#contract/days.ts'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { meterName } from '../records/check-row.ts'
import { nameHours } from './bill-identity.ts'
import { hoursOfDay } from './changed-clocks.ts'
import { plainHeading } from './column-roles.ts'
import { clockIn, minutesIn, numberIn } from './import-day.ts'
import { meterReader, onlyMeter } from './meters.ts'
import { type ReadingPlan, type ReadLine, waits, wrong } from './read-line.ts'

/** The lines of an hour or a quarter of an hour of one meter: mostly one. */
type Interval = readonly ReadLine[]
type Day = { own: ReadLine[]; intervals: Interval[] }

/**
 * The quarter hours and hours of smart meters as one line for each day. An interval that a file has twice counts once, except in
 * the hour that a day in autumn has twice; with two values it is asked about, and so is energy that was sent back. Days that lack
 * intervals say so.
 */
export function sumIntervals(lines: readonly ReadLine[], plan: ReadingPlan): ReadLine[] {
  const isRead = ({ record, isLeft }: ReadLine) => record !== null && !isLeft
  const sentBack = new Set(lines.filter((read) => isRead(read) && isSentBack(read, plan)))
  const meterOf = meterReader(plan)
  const days = [
    ...Map.groupBy(
      lines.filter(isRead),
      ({ record, source }) => `${source?.id ?? ''} ${record?.periodStart ?? ''} ${record?.unit ?? ''}`,
    ).values(),
  ].map((own): Day => ({ own, intervals: intervalsOf(own, meterOf, plan) }))
  const usual = usualCount(days.map(({ intervals }) => intervals.length))
  const summed = days.map((day, at) =>
    sumDay(day, { usual, isAtEdge: at === 0 || at === days.length - 1, sentBack, plan }),
  )
  // Another file may have the same days of another meter.
  const meter = onlyMeter(lines.filter(isRead), plan)
  if (meter !== null)
    for (const { record } of summed)
      if (record !== null) record.reference = meterName(record.reference, meter)
  warnOfGaps(summed)
  return [...summed, ...lines.filter((read) => !isRead(read))].toSorted(
    (one, other) => one.line - other.line || one.place - other.place,
  )
}

/** Days between others of the same source that the file doesn't have at all. */
function warnOfGaps(days: readonly ReadLine[]): void {
  for (const own of Map.groupBy(days, ({ source }) => source?.id).values()) {
    const sorted = own.toSorted((one, other) =>
      (one.period?.first ?? '') < (other.period?.first ?? '') ? -1 : 1,
    )
    for (const [at, read] of sorted.entries()) {
      const before = sorted[at - 1]?.period?.last
      if (before === undefined || read.period === null || read.period.first <= dayAfter(before, 1)) continue
      const [first, last] = [dayAfter(before, 1), dayAfter(read.period.first, -1)]
      const missing = first === last ? `of ${first}` : `from ${first} to ${last}`
      read.problems.push({
        field: 'periodStart',
        level: 'warning',
        message: `The file has no intervals ${missing}.`,
      })
    }
  }
}

/** What was sent back to the grid is no use, and doesn't lower the use either. What intervals below 0 are is asked once. */
function isSentBack(read: ReadLine, { questions }: ReadingPlan): boolean {
  const quantity = new Figure(read.record?.quantity ?? 0)
  if (!quantity.isNegative() || quantity.isZero()) return false
  const answer = questions.ask({
    id: 'sentBack',
    field: 'quantity',
    text: `Some intervals are below 0, such as ${showFigure(quantity, 16)} at line ${read.line}. What are they?`,
    choices: [
      { value: 'leave', label: "Energy sent back to the grid: it doesn't lower the use" },
      { value: 'subtract', label: 'Corrections: subtract them' },
    ],
    proposal: null,
  })
  if (answer === null) read.isOpen = true
  return answer === 'leave'
}

function intervalsOf(
  own: readonly ReadLine[],
  meterOf: ReturnType<typeof meterReader>,
  { context: { timeZone } }: ReadingPlan,
): Interval[] {
  const isLong = hoursOfDay(timeZone, own[0]?.record?.periodStart ?? '') > 24
  const isRepeated = (minutes: number) => isLong && minutes >= 60 && minutes < 180
  const most = Math.max(...own.map((read) => numberOf(read) ?? 0))
  const groups = Map.groupBy(own, (read) => {
    const minutes = timeOf(read)
    // The numbers of hours or half hours: 1 to 48.
    if (minutes === null) {
      if (read.cells.time === undefined) return read.key
      const at = ((numberOf(read) ?? 0) * DAY_MINUTES) / dayLength(most)
      return [read.cells.time, meterOf(read), isRepeated(at) ? read.key : ''].join('\u001F')
    }
    // 24:00 is 0:00 of the next day.
    return [minutes === DAY_MINUTES ? 0 : minutes, meterOf(read), isRepeated(minutes) ? read.key : ''].join(
      '\u001F',
    )
  })
  return [...groups.values()]
}

/** The most frequent count; of two, the one that is whole hours of a day. */
function usualCount(counts: readonly number[]): number {
  const rank = ([count, own]: readonly [number, readonly number[]]) => [
    own.length,
    count % 24 === 0 ? 1 : 0,
    count,
  ]
  const [most] = [...Map.groupBy(counts, (count) => count)].toSorted((one, other) => {
    const [mine, theirs] = [rank(one), rank(other)]
    const at = mine.findIndex((value, place) => value !== theirs[place])
    return (theirs[at] ?? 0) - (mine[at] ?? 0)
  })
  return most?.[0] ?? 0
}

function sumDay(
  { own, intervals }: Day,
  {
    usual,
    isAtEdge,
    sentBack,
    plan,
  }: { usual: number; isAtEdge: boolean; sentBack: ReadonlySet<ReadLine>; plan: ReadingPlan },
): ReadLine {
  const [first] = own
  if (first === undefined || first.record === null) throw new Error('A day has intervals.')
  const isBoth = intervals.map((one) => countsTwice(one, plan))
  const kept = intervals.flatMap((lines, at) => (isBoth[at] === true ? lines : lines.slice(-1)))
  const quantity = kept
    .filter((read) => !sentBack.has(read))
    .reduce((sum, { record }) => sum.plus(record?.quantity ?? 0), new Figure(0))
  const costs = kept.flatMap(({ record }) => record?.cost ?? [])
  const cost = costs.length === 0 ? null : plain(costs.reduce((sum, one) => sum.plus(one), new Figure(0)))
  const day: ReadLine = {
    ...first,
    isOpen: false,
    others: own.slice(1).map(({ line, place, raw }) => ({ line, place, raw })),
    problems: [
      ...first.problems,
      ...warningsOf(
        { twice: own.length - kept.length, back: own.filter((read) => sentBack.has(read)).length },
        { intervals, whole: wholeOf(intervals, usual, plan), isAtEdge, plan },
      ),
    ],
    cells: { ...first.cells, quantity: plain(quantity), ...(cost !== null && { cost }) },
    record: {
      ...first.record,
      quantity: plain(quantity),
      cost,
      reference: first.record.reference ?? hoursOf(intervals),
    },
  }
  if (isBoth.includes(null)) {
    day.record = null
    waits(day, 'quantity', 'An interval of this day has two values. Say which one counts.')
  } else if (own.some(({ isOpen }) => isOpen)) {
    day.record = null
    waits(day, 'quantity', 'Answer the question about the intervals of this day.')
  } else if (isTooLong(intervals, plan)) {
    day.record = null
    wrong(day, 'periodStart', `The file has ${intervals.length} intervals of this day, more than a day has.`)
  } else if (quantity.isNegative()) {
    day.record = null
    wrong(day, 'quantity', 'The corrections of this day are larger than its use.')
  }
  return day
}

/** How many numbers a day has whose last one is given: 24 hours, 48 half hours or 96 quarters. In autumn there is an hour more. */
const dayLength = (last: number): number => [24, 48, 96].find((count) => last < count * 1.25) ?? DAY_MINUTES

/** As `dayLength`, but a column of hours has no half hours. */
const dayOf = ({ columns: { titles }, mapping }: ReadingPlan, last: number): number =>
  HOURS.test(plainHeading(titles[mapping.columns.time ?? -1] ?? '')) ? 24 : dayLength(last)
const HOURS =
  /^(?!.*(half|halb|demi|media|quarter|viertel)).*(^| )(hours?|hr|he|stunde|heure|hora|ora|uur)( |$)/

/** The hours of a day that a file has only in part, so that the others are another record; null for a whole day. */
function hoursOf(intervals: readonly Interval[]): string | null {
  const { times, step, isClock } = timesOf(intervals)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || first === last) return null
  const whole = isClock ? DAY_MINUTES / step : dayLength(last)
  // In spring a day has an hour less.
  if (times.length >= whole - whole / 24) return null
  const written = (at: number) =>
    isClock
      ? `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
      : String(at)
  return nameHours(written(first), written(last))
}
const DAY_MINUTES = 1440

/** The times of a day, or the numbers of its intervals if it has no times: each once and in order, and what is between them. */
function timesOf(intervals: readonly Interval[]): { times: number[]; step: number; isClock: boolean } {
  const reads = intervals.flatMap(([read]) => read ?? [])
  const clock = reads.flatMap((read) => timeOf(read) ?? [])
  const isClock = clock.length > 0
  const found = isClock ? clock : reads.flatMap((read) => numberOf(read) ?? [])
  const times = [...new Set(found)].toSorted((one, other) => one - other)
  const steps = times.flatMap((at, place) => (place === 0 ? [] : [at - (times[place - 1] ?? 0)]))
  return { times, step: Math.min(...steps), isClock }
}

const numberOf = ({ cells }: ReadLine): number | null => numberIn(cells.time ?? '')
const timeOf = ({ cells }: ReadLine): number | null =>
  cells.time === undefined ? minutesIn(cells.periodStart ?? '') : clockIn(cells.time)

/** Whether all values of an interval count; null: only the user knows. The same value twice counts once, unless others are added. */
function countsTwice([one, ...others]: Interval, { mapping, questions }: ReadingPlan): boolean | null {
  if (one === undefined || others.length === 0) return false
  const other = others.find(({ record }) => record?.quantity !== one.record?.quantity)
  if (other === undefined) return mapping.answers.intervals === 'both'
  const [before, after] = [one, other].map(({ record }) => showFigure(record?.quantity ?? '0', 16))
  const answer = questions.ask({
    id: 'intervals',
    field: 'quantity',
    text: `Lines ${one.line} and ${other.line} are the same interval of ${one.record?.periodStart ?? ''}, with ${before} and ${after}. Which one counts?`,
    choices: [
      { value: 'last', label: 'The later line corrects the earlier one' },
      { value: 'both', label: 'Both: they are of two meters' },
    ],
    proposal: null,
  })
  return answer === null ? null : answer === 'both'
}

function warningsOf(
  { twice, back }: { twice: number; back: number },
  {
    intervals,
    whole,
    isAtEdge,
    plan: { context },
  }: { intervals: readonly Interval[]; whole: number; isAtEdge: boolean; plan: ReadingPlan },
): ReadLine['problems'] {
  const missing = whole - intervals.length
  const warn = (field: 'periodStart' | 'quantity', message: string) => ({
    field,
    level: 'warning' as const,
    message,
  })
  return [
    ...(twice === 0
      ? []
      : [
          warn(
            'periodStart',
            `The file has ${twice} ${twice === 1 ? 'interval' : 'intervals'} of this day twice. Each counts once.`,
          ),
        ]),
    ...(back === 0
      ? []
      : [
          warn(
            'quantity',
            `${back} ${back === 1 ? 'interval was' : 'intervals were'} sent back to the grid and ${back === 1 ? "doesn't" : "don't"} lower the use.`,
          ),
        ]),
    ...(missing <= 0 ||
    (missing === Math.round(whole / 24) &&
      hoursOfDay(context.timeZone, intervals[0]?.[0]?.record?.periodStart ?? '') < 24)
      ? []
      : [
          warn(
            'quantity',
            `Only ${intervals.length} of ${whole} intervals${isAtEdge ? '' : ' of this day'} are in the file.`,
          ),
        ]),
  ]
}

/** Hours from 1 to 25, or a time after 24:00, on a day without a change of clocks. */
function isTooLong(intervals: readonly Interval[], plan: ReadingPlan): boolean {
  const [first] = intervals[0] ?? []
  // A day without an hour may have it all the same, as 0.
  const hours = Math.max(24, hoursOfDay(plan.context.timeZone, first?.record?.periodStart ?? ''))
  const { times, isClock } = timesOf(intervals)
  const last = times.at(-1) ?? 0
  return isClock ? last > hours * 60 : times.length > (dayOf(plan, last) * hours) / 24
}

/** How many intervals a day has: as most days of the file, and at least as many as fit into it, for each of its meters. */
function wholeOf(intervals: readonly Interval[], usual: number, plan: ReadingPlan): number {
  const { times, step, isClock } = timesOf(intervals)
  if (times.length < 3) return Math.max(usual, intervals.length)
  const fits = isClock ? Math.round(DAY_MINUTES / step) : dayOf(plan, times.at(-1) ?? 0)
  const meterOf = meterReader(plan)
  const meters = new Set(intervals.flatMap(([read]) => (read === undefined ? [] : [meterOf(read)]))).size
  return Math.max(usual, intervals.length, fits * meters)
}
