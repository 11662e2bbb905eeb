import type { FileFormat } from '#contract/carbon/activity/import-mapping.ts'
import { dayAfter } from '#contract/days.ts'
import { hoursOfDay } from './changed-clocks.ts'
import { clockIn, minutesIn, numberIn, readImportDay } from './import-day.ts'
import type { ReadingPlan, ReadLine } from './read-line.ts'

/** The first and the last time of a file are the same midnight. `last`: 24:00, or the number of the last hour or half hour. */
export type Midnights = { first: Slot; last: Slot; meaning: 'end' | 'start' | null }
type Slot = { at: number; isNumber: boolean; text: string }

/**
 * A day has no interval at both 0:00 and 24:00, nor hours from 0 to 24: one of them is of another day. Whether times are the start or
 * the end of their intervals is asked. Null: the file has only one of the two.
 */
export function settleMidnights(
  lines: readonly ReadLine[],
  { questions, mapping, context }: Pick<ReadingPlan, 'questions' | 'mapping' | 'context'>,
): Midnights | null {
  const found = lines.flatMap((read) => {
    const slot = read.isLeft ? null : slotOf(read)
    return slot === null ? [] : [{ read, slot }]
  })
  const isLong = ({ cells }: ReadLine, format: FileFormat): boolean => {
    const day = readImportDay(cells.periodStart ?? '', format, 'first')
    return 'value' in day && hoursOfDay(context.timeZone, day.value) > 24
  }
  const first = found.find(({ slot }) => slot.at === 0)
  // In autumn a day has an hour more: 0 to 24.
  const last =
    found.find(({ slot: { isNumber, at } }) => !isNumber && at === DAY_MINUTES) ??
    found
      .filter(({ slot }) => slot.isNumber)
      .toSorted((one, other) => other.slot.at - one.slot.at)
      .find(
        ({ slot, read }, place) => place === 0 && LAST_NUMBERS.has(slot.at) && !isLong(read, mapping.format),
      )
  if (first === undefined || last === undefined) return null
  const answer = questions.ask({
    id: 'midnight',
    field: 'periodStart',
    text: `The file has both ${first.slot.text} (line ${first.read.line}) and ${last.slot.text} (line ${last.read.line}). Are times the start or the end of their intervals?`,
    choices: [
      { value: 'end', label: `The end: ${first.slot.text} is the last interval of the day before` },
      { value: 'start', label: `The start: ${last.slot.text} is the first interval of the next day` },
    ],
    proposal: null,
  })
  return {
    first: first.slot,
    last: last.slot,
    meaning: answer === 'end' || answer === 'start' ? answer : null,
  }
}

/** The day that an interval at midnight counts for. Without an answer all lines wait: it may be of the day before or after. */
export function dayOfMidnight(read: ReadLine, day: string, { first, last, meaning }: Midnights): string {
  if (meaning === null) read.isOpen = true
  const slot = slotOf(read)
  const isLast = slot?.at === last.at && slot.isNumber === last.isNumber
  if (slot === null || (slot.at !== 0 && !isLast)) return day
  const isEnd = meaning !== 'start'
  // Both are one interval from here on.
  if (read.cells.time !== undefined) read.cells.time = isEnd ? last.text : first.text
  if (slot.at === 0) return isEnd ? dayAfter(day, -1) : day
  return isEnd ? day : dayAfter(day, 1)
}

/** "24:00" and "2400" as minutes, "24" and "HE 24" as a number. */
function slotOf({ cells }: ReadLine): Slot | null {
  const text = (cells.time ?? cells.periodStart ?? '').trim()
  const minutes = cells.time === undefined ? minutesIn(text) : clockIn(text)
  if (minutes !== null) {
    const clock = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
    return { at: minutes, isNumber: false, text: cells.time === undefined ? clock : text }
  }
  const number = cells.time === undefined ? null : numberIn(text)
  return number === null ? null : { at: number, isNumber: true, text }
}

const DAY_MINUTES = 1440
const LAST_NUMBERS = new Set([24, 48, 96])
