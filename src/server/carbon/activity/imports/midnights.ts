import type { FileFormat } from '#contract/carbon/activity/import-mapping.ts'
import { dayAfter } from '#contract/days.ts'
import { minutesIn, readImportDay } from './import-day.ts'
import type { ReadingPlan, ReadLine } from './read-line.ts'

/** The first and the last time of a file are the same midnight. `last`: 24:00, or the number of the last hour or half hour. */
export type Midnights = { last: number; isNumber: boolean; meaning: 'end' | 'start' | null }

/**
 * A day has no interval at both 0:00 and 24:00, nor hours from 0 to 24: one of them is of another day. Whether times are the start or
 * the end of their intervals is asked. Null: the file has only one of the two.
 */
export function settleMidnights(
  lines: readonly ReadLine[],
  { questions, mapping }: Pick<ReadingPlan, 'questions' | 'mapping'>,
): Midnights | null {
  const found = lines.flatMap((read) => {
    const slot = read.isLeft ? null : slotOf(read)
    return slot === null ? [] : [{ read, ...slot }]
  })
  const first = found.find(({ at }) => at === 0)
  // In autumn a day has an hour more: 0 to 24.
  const last =
    found.find(({ at, isNumber }) => !isNumber && at === DAY_MINUTES) ??
    found
      .filter(({ isNumber }) => isNumber)
      .toSorted((one, other) => other.at - one.at)
      .find(
        ({ at, read }, place) =>
          place === 0 && LAST_NUMBERS.has(at) && !hasRepeatedHour(read, mapping.format),
      )
  if (first === undefined || last === undefined || first.isNumber !== last.isNumber) return null
  const text = ({ cells }: ReadLine) => (mapping.columns.time === undefined ? cells.periodStart : cells.time)
  const answer = questions.ask({
    id: 'midnight',
    field: 'periodStart',
    text: `The file has both ${text(first.read) ?? ''} (line ${first.read.line}) and ${text(last.read) ?? ''} (line ${last.read.line}). Are times the start or the end of their intervals?`,
    choices: [
      { value: 'end', label: `The end: ${first.text} is the last interval of the day before` },
      { value: 'start', label: `The start: ${last.text} is the first interval of the next day` },
    ],
    proposal: null,
  })
  return {
    last: last.at,
    isNumber: last.isNumber,
    meaning: answer === 'end' || answer === 'start' ? answer : null,
  }
}

/** The day that an interval at midnight counts for. Without an answer the line waits. */
export function dayOfMidnight(read: ReadLine, day: string, { last, isNumber, meaning }: Midnights): string {
  const slot = slotOf(read)
  if (slot?.isNumber !== isNumber || (slot.at !== 0 && slot.at !== last)) return day
  if (meaning === null) read.isOpen = true
  const isEnd = meaning !== 'start'
  // Both are one interval from here on.
  if (isNumber) read.cells.time = isEnd ? String(last) : '0'
  if (slot.at === 0) return isEnd ? dayAfter(day, -1) : day
  return isEnd ? day : dayAfter(day, 1)
}

function slotOf({ cells }: ReadLine): { at: number; isNumber: boolean; text: string } | null {
  const text = cells.time ?? cells.periodStart ?? ''
  const minutes = minutesIn(text)
  if (minutes !== null)
    return {
      at: minutes,
      isNumber: false,
      text: `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`,
    }
  const number = cells.time === undefined ? null : /^\D*(\d{1,3})(?:\.0)?$/.exec(cells.time)
  return number === null ? null : { at: Number(number[1]), isNumber: true, text: number[0] }
}

const DAY_MINUTES = 1440
const LAST_NUMBERS = new Set([24, 48, 96])

/** Clocks go back on a Sunday in October or November. */
function hasRepeatedHour({ cells }: ReadLine, format: FileFormat): boolean {
  const read = readImportDay(cells.periodStart ?? '', format, 'first')
  const day = new Date(`${'value' in read ? read.value : ''}T00:00:00Z`)
  return day.getUTCDay() === 0 && (day.getUTCMonth() === 9 || day.getUTCMonth() === 10)
}
