import { dayAfter, daysOf } from '#contract/days.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { shownIn } from '#contract/today.ts'
import { needsDateOrder } from '#contract/parsing/date-order.ts'
import { isBlank } from './read-amount.ts'
import { clockIn, isMonth, isMonthOnly, minutesIn, readImportDay, splitRange } from './import-day.ts'
import { seriesOf } from './meters.ts'
import { dayOfMidnight, type Midnights, settleMidnights } from './midnights.ts'
import { type ReadingPlan, type ReadLine, waits, wrong } from './read-line.ts'

type Days = { first: string; last: string }

/**
 * Reads the period of each line, from its first and last day, a range or a month in one cell, or the dates on which the meter
 * was read. Whether the last day of a bill is the first one of the next is asked once.
 */
export function readPeriods(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const { columns } = plan.mapping
  if (
    columns.periodStart === undefined &&
    columns.readDate === undefined &&
    plan.proposal.period.length > 0
  ) {
    askPeriod(lines, plan)
    return
  }
  if (columns.periodStart === undefined && columns.readDate !== undefined) {
    readSeries(lines, plan)
    return
  }
  const hasStarts = plan.isInterval && takeStarts(lines)
  const midnights = plan.isInterval ? settleMidnights(lines, plan) : null
  const isEnd = plan.isInterval && midnights === null && !hasStarts && stampsAreEnds(lines, plan)
  for (const read of lines) if (!read.isLeft) read.period = readDays(read, { ...plan, isEnd, midnights })
  if (plan.isInterval) return
  settleEndDays(lines, plan)
  for (const read of lines) checkDays(read, plan)
}

/** "00:00 - 01:00" in one cell: an interval counts for the day on which it begins. @returns whether cells have both */
function takeStarts(lines: readonly ReadLine[]): boolean {
  const ends = new Set(lines.map(({ cells }) => SHORT_RANGE.exec(cells.periodStart ?? '')?.[2]))
  // "00:00-05:00" is a time in another zone, of which a file has two at most.
  const areShort = ends.size > 3
  const ranges = lines.flatMap(({ cells }) => {
    const text = cells.periodStart ?? ''
    const start = splitRange(text)?.[0] ?? (areShort ? SHORT_RANGE.exec(text)?.[1] : undefined)
    return start === undefined ? [] : [{ cells, start }]
  })
  for (const { cells, start } of ranges) cells.periodStart = start
  return ranges.length > 0
}
const SHORT_RANGE = /^(.*\d{1,2}:\d{2})\s?[-–]\s?(\d{1,2}:\d{2})$/

/** Longer ones are dates that were read in another order. */
const MOST_YEARS = 3 * 366

/** A period that is far too long, or has another number of days than the line says. */
function checkDays(read: ReadLine, plan: ReadingPlan): void {
  if (read.period === null || read.isLeft) return
  const { first, last } = read.period
  const days = daysOf(first, last)
  if (days > MOST_YEARS) {
    read.period = wrong(
      read,
      'periodEnd',
      `The period would be ${first} to ${last}. Check how the file writes dates.`,
    )
    return
  }
  const stated = billedDays(read, plan)
  if (stated === null || Math.abs(stated - days) <= MOST_APART) return
  const [ahead, back] = [dayAfter(first, stated - 1), dayAfter(last, 1 - stated)]
  const answer = plan.questions.ask({
    id: 'days',
    field: 'periodEnd',
    text: `Line ${read.line} has ${stated} days, but ${first} to ${last} are ${days}. Which period is it?`,
    choices: [
      { value: 'back', label: `${back} to ${last}: the last day is right` },
      { value: 'ahead', label: `${first} to ${ahead}: the first day is right` },
      { value: 'period', label: `${first} to ${last}: the number of days is wrong` },
    ],
    proposal: null,
  })
  if (answer === null) waits(read, 'periodEnd', `The line says ${stated} days, but its period has ${days}.`)
  if (answer === 'back') read.period = { first: back, last }
  if (answer === 'ahead') read.period = { first, last: ahead }
}
/** Whether the first and the last day are counted differs, and meters aren't read on Sundays. */
const MOST_APART = 3

/** Several columns of days may be the period. */
function askPeriod(lines: readonly ReadLine[], { proposal, questions }: ReadingPlan): void {
  for (const read of lines) {
    if (read.isLeft) continue
    questions.ask({
      id: 'period',
      field: 'periodStart',
      text: 'Which columns are the first and the last day of a bill? No heading says so clearly.',
      choices: [...proposal.period],
      proposal: null,
    })
    waits(read, 'periodStart', 'Choose the columns of the first and the last day.')
  }
}

function readDays(
  read: ReadLine,
  plan: ReadingPlan & { isEnd: boolean; midnights: Midnights | null },
): Days | null {
  const { cells } = read
  if (plan.isInterval) settleZone(read, plan)
  const range = splitRange(cells.periodStart ?? '')
  const from = range?.[0] ?? withYear(cells)
  // A month covers both its first and its last day, and an interval is within its day.
  const isWhole = from !== undefined && (isMonth(from) || plan.isInterval)
  const to = range?.[1] ?? cells.periodEnd ?? (isWhole ? from : undefined)
  if (from === undefined || isBlank(from)) return wrong(read, 'periodStart', 'Enter the first day.')
  const first = readDay(read, plan, { text: from, field: 'periodStart', which: 'first' })
  if (first === null) return null
  if (plan.isInterval) {
    const isMidnight = minutesIn(cells.time ?? from) === 0
    const own = plan.isEnd && isMidnight ? dayAfter(first, -1) : first
    const day = plan.midnights === null ? own : dayOfMidnight(read, first, plan.midnights)
    return { first: day, last: day }
  }
  if (to === undefined || isBlank(to)) {
    if (isMonthColumn(plan)) return wholeMonth(first)
    const days = billedDays(read, plan)
    if (days !== null) return { first, last: dayAfter(first, days - 1) }
    return wrong(read, 'periodEnd', 'Enter the last day.')
  }
  const last = readDay(read, plan, {
    text: to,
    field: range === null ? 'periodEnd' : 'periodStart',
    which: 'last',
  })
  return last === null ? null : { first, last }
}

/** "Start, Days, kWh": how many days the bill is for; null if the file doesn't say. */
function billedDays({ raw }: ReadLine, { proposal }: ReadingPlan): number | null {
  const column = proposal.evidence.find(({ role, isNumeric }) => role === 'days' && isNumeric)
  const days = Number(raw[column?.place ?? -1]?.trim() || Number.NaN)
  return days > 0 && days <= MOST_DAYS ? Math.max(1, Math.round(days)) : null
}
const MOST_DAYS = 400

/**
 * Times in UTC are those of the organization's days, unless the user says that the days are UTC too. A heading may say so for cells
 * without a zone: "Timestamp (UTC)".
 */
function settleZone(read: ReadLine, plan: ReadingPlan): void {
  const { columns, mapping, context, questions } = plan
  const { timeZone } = context
  const { cells } = read
  const text = cells.periodStart ?? ''
  if (timeZone === 'UTC') return
  const places = [mapping.columns.time, mapping.columns.periodStart]
  const isNamed = places.some((place) => /\b(utc|gmt|zulu)\b/i.test(columns.titles[place ?? -1] ?? ''))
  const isWritten = /\dT?\d.*(Z|[+-]00:?00)$/.test(text) && !Number.isNaN(Date.parse(text))
  const named = isNamed ? momentOf(read, plan) : null
  const moment = isWritten ? Date.parse(text) : named
  if (moment === null) return
  const answer = questions.ask({
    id: 'utc',
    field: 'periodStart',
    text: `The times are in UTC, such as ${text}. Which days do they count for?`,
    choices: [
      { value: 'local', label: `Days in ${timeZone}, the time zone of the organization` },
      { value: 'utc', label: 'Days in UTC, as they are written' },
    ],
    proposal: 'local',
  })
  if (answer !== 'local') return
  const shown = shownIn(timeZone, moment)
  cells.periodStart = shown
  if (cells.time !== undefined) cells.time = shown.slice(11)
}

/** The moment of a day and a time without a zone, in UTC; null: it has none. */
function momentOf({ cells }: ReadLine, { mapping }: ReadingPlan): number | null {
  const text = cells.periodStart ?? ''
  const minutes = cells.time === undefined ? minutesIn(text) : clockIn(cells.time)
  const day = readImportDay(text, mapping.format, 'first')
  return minutes === null || !('value' in day)
    ? null
    : Date.parse(`${day.value}T00:00:00Z`) + minutes * 60_000
}

/**
 * Whether the times of intervals are their ends, so that midnight belongs to the day before: the heading says so, or the file begins
 * one interval after midnight and ends at midnight, which is asked about.
 */
function stampsAreEnds(lines: readonly ReadLine[], { proposal, mapping, questions }: ReadingPlan): boolean {
  const { periodStart, time } = mapping.columns
  const role = (place: number | undefined) => proposal.evidence.find((one) => one.place === place)?.role
  if (role(periodStart) === 'periodEnd') return true
  if (time !== undefined || role(periodStart) === 'periodStart') return false
  const minutes = lines.flatMap(({ cells, isLeft }) =>
    isLeft ? [] : (minutesIn(cells.periodStart ?? '') ?? []),
  )
  const [first, second] = minutes
    .toSorted((one, other) => one - other)
    .filter((one, at, all) => one !== all[at - 1])
  const ends = new Set([minutes[0], minutes.at(-1)])
  if (first !== 0 || second === undefined || !ends.has(0) || !ends.has(second)) return false
  return (
    questions.ask({
      id: 'stamp',
      field: 'periodStart',
      text: 'Each line has one time, and the last one is midnight. Is it the start or the end of its interval?',
      choices: [
        { value: 'end', label: 'The end: midnight belongs to the day before' },
        { value: 'start', label: 'The start: midnight begins a day' },
      ],
      proposal: 'end',
    }) === 'end'
  )
}

/** The number of a month beside its year is a month. */
const withYear = ({ periodStart, year }: ReadLine['cells']): string | undefined =>
  year !== undefined && /^\d{4}$/.test(year) && /^\d{1,2}$/.test(periodStart ?? '')
    ? `${year}-${(periodStart ?? '').padStart(2, '0')}`
    : periodStart

/** A month typed into a spreadsheet becomes the first day of it, and one that was calculated is often the last. */
function isMonthColumn({ proposal, mapping }: ReadingPlan): boolean {
  const column = proposal.evidence.find(({ place }) => place === mapping.columns.periodStart)
  if (column?.role !== 'period') return false
  const days = column.values.map((text) => {
    const read = readImportDay(text, mapping.format, 'first', 2000)
    return 'value' in read ? read.value : ''
  })
  return (
    days.every((day) => day.endsWith('-01')) ||
    days.every((day) => day !== '' && day === wholeMonth(day).last)
  )
}

function wholeMonth(day: string): Days {
  const [year = '', month = ''] = day.split('-')
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10)
  return { first: `${day.slice(0, 7)}-01`, last }
}

function readDay(
  read: ReadLine,
  { mapping, questions, orderProposal, context, orderExample: example }: ReadingPlan,
  {
    text,
    field,
    which,
  }: { text: string; field: 'periodStart' | 'periodEnd' | 'readDate'; which: 'first' | 'last' },
): string | null {
  if (orderProposal !== undefined && needsDateOrder(text)) {
    const choices = (['mdy', 'dmy'] as const).flatMap((order) => {
      const day = readImportDay(example, { ...mapping.format, order }, which)
      const name = order === 'mdy' ? 'the month is first' : 'the day is first'
      return 'value' in day ? [{ value: order, label: `${writeDay(day.value)}: ${name}` }] : []
    })
    const answer = questions.ask({
      id: 'order',
      field,
      text: `Which day is “${example}”? The file doesn't say whether the day or the month is first.`,
      choices,
      proposal: orderProposal,
      // Both days of a line are asked about.
      lines: which === 'last' && needsDateOrder(read.cells.periodStart ?? '') ? 0 : 1,
    })
    if (answer === null) return waits(read, field, `“${text}” may be two days. Say which order the file has.`)
  }
  const named = Number(read.cells.year)
  const own = Number.isInteger(named) && named > 1900 && named < 2200 ? named : null
  const year = own ?? (isMonthOnly(text) ? yearOf(context.years, questions) : null)
  if (isMonthOnly(text) && year === null) return waits(read, field, `“${text}” doesn't say the year.`)
  const day = readImportDay(text, mapping.format, which, year)
  return 'value' in day ? day.value : wrong(read, field, day.refusal)
}

/** The year of months that name none. */
function yearOf(years: readonly number[], questions: ReadingPlan['questions']): number | null {
  const answer = questions.ask({
    id: 'year',
    field: 'periodStart',
    text: 'The months of the file have no year. Which year are they of?',
    choices: years.map((year) => ({ value: String(year), label: String(year) })),
    proposal: null,
  })
  return answer === null ? null : Number(answer)
}

/**
 * Bills that end on the day on which the next one begins: that day belongs to one of them. The same for bills from the first of
 * a month to the first of the next.
 */
function settleEndDays(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const long = lines.filter(({ period, isLeft }) => period !== null && !isLeft && period.last > period.first)
  const pairs = seriesOf(long, plan).flatMap((own) => {
    const sorted = own.toSorted((one, other) =>
      (one.period?.first ?? '') < (other.period?.first ?? '') ? -1 : 1,
    )
    return sorted.flatMap((before, at) => {
      const after = sorted[at + 1]
      return after === undefined ? [] : [{ before, after }]
    })
  })
  const shared = pairs.filter(({ before, after }) => before.period?.last === after.period?.first)
  const adjacent = pairs.filter(
    ({ before, after }) => dayAfter(before.period?.last ?? '', 1) === after.period?.first,
  )
  const isSameDay = ({ period }: ReadLine) => period?.first.slice(8) === period?.last.slice(8)
  const isFromDayToDay = long.length > 0 && long.every(isSameDay) && adjacent.length === 0
  // A file with one bill is read as the one before, in which a day was of two bills.
  const isWhole = ({ period }: ReadLine) =>
    period?.first.endsWith('-01') === true && dayAfter(period.last, 1).endsWith('-01')
  const isAnswered =
    plan.mapping.answers.endDay !== undefined && adjacent.length === 0 && !long.every(isWhole)
  if (shared.length === 0 && !isFromDayToDay && !isAnswered) return
  const example = (shared[0]?.before ?? long[0])?.period
  if (!example) return
  const isNext =
    plan.questions.ask({
      id: 'endDay',
      field: 'periodEnd',
      text:
        shared.length > 0
          ? `Bills end on the day on which the next one begins, such as ${example.last}. Which bill does that day belong to?`
          : `${isFromDayToDay ? 'Bills end on the same day of the month as they begin' : 'In the last file, a bill ended on the day on which the next one began'}. Here, one is from ${example.first} to ${example.last}. Is the last day a part of the bill?`,
      choices: [
        { value: 'next', label: `The next bill: this one ends on ${dayAfter(example.last, -1)}` },
        { value: 'this', label: 'This bill' },
      ],
      proposal: adjacent.length === 0 ? 'next' : null,
      lines: long.length,
    }) ?? null
  if (isNext === null)
    for (const { before } of shared)
      waits(before, 'periodEnd', 'Say whether the last day belongs to this bill or to the next.')
  if (isNext === 'next')
    for (const read of long)
      if (read.period !== null) read.period = { ...read.period, last: dayAfter(read.period.last, -1) }
  if (isNext === 'this')
    for (const { after } of shared)
      if (after.period !== null) after.period = { ...after.period, first: dayAfter(after.period.first, 1) }
}

/** One date a line: the day on which the meter was read, the last day, a day of the month, or the only day. */
function readSeries(lines: readonly ReadLine[], plan: ReadingPlan): void {
  for (const own of seriesOf(lines, plan)) {
    const dated = own.flatMap((read) => {
      const text = read.cells.readDate
      if (text === undefined || isBlank(text)) {
        wrong(read, 'readDate', 'Enter the date.')
        return []
      }
      const day = readDay(read, plan, { text, field: 'readDate', which: 'last' })
      return day === null ? [] : [{ read, day, isMonth: isMonth(text) }]
    })
    const sorted = dated.toSorted((one, other) => (one.day < other.day ? -1 : 1))
    // Two bills of one day, such as a correction, are compared later. Two readings of one have no use between them.
    const hasReadings = plan.mapping.columns.meterTo !== undefined
    let before: string | null = null
    for (const [at, { read, day, isMonth: isWhole }] of sorted.entries()) {
      const above = sorted[at - 1]?.day ?? null
      if (hasReadings || above !== day) before = above
      if (isWhole) {
        read.period = wholeMonth(day)
        continue
      }
      const meaning = meaningOf(
        sorted.map((one) => one.day),
        day,
        plan,
      )
      if (meaning === null) waits(read, 'readDate', 'Say what the date of a line means.')
      else
        read.period = periodOf(read, {
          day,
          before,
          meaning,
          days: billedDays(read, plan),
        })
    }
  }
}

function meaningOf(
  days: readonly string[],
  example: string,
  { proposal, questions }: ReadingPlan,
): string | null {
  const isDaily =
    days.length >= 5 && days.every((day, at) => at === 0 || dayAfter(days[at - 1] ?? '', 1) === day)
  const suggested = proposal.dateMeaning ?? (isDaily ? 'day' : null)
  if (proposal.dateMeaning === 'read' || proposal.dateMeaning === 'day' || isDaily) return suggested
  return questions.ask({
    id: 'date',
    field: 'readDate',
    text: `Each line has one date, such as ${example}. What does it mean?`,
    choices: [
      { value: 'read', label: 'The meter was read on that day: the use is since the line before' },
      { value: 'end', label: 'The last day of the bill' },
      { value: 'month', label: 'The bill is for the whole month of that day' },
      { value: 'day', label: 'What was used or delivered on that one day' },
    ],
    proposal: suggested,
  })
}

function periodOf(
  read: ReadLine,
  {
    day,
    before,
    meaning,
    days,
  }: { day: string; before: string | null; meaning: string; days: number | null },
): Days | null {
  if (meaning === 'month') return wholeMonth(day)
  if (meaning === 'day') return { first: day, last: day }
  if (before === null && days !== null) {
    const last = meaning === 'read' ? dayAfter(day, -1) : day
    return { first: dayAfter(last, 1 - days), last }
  }
  if (before === null)
    return wrong(
      read,
      'readDate',
      `The file doesn't say when the use up to ${day} began, because no earlier line has a date. Enter this bill by hand, or add its first day to the file.`,
    )
  if (before === day)
    return wrong(
      read,
      'readDate',
      `Two lines have a reading of ${day}. Import the file without the one that doesn't hold.`,
    )
  const period =
    meaning === 'read'
      ? { first: before, last: dayAfter(day, -1) }
      : { first: dayAfter(before, 1), last: day }
  return daysOf(period.first, period.last) < 1 ? wrong(read, 'readDate', 'The period has no days.') : period
}
