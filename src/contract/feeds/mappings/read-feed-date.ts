import { dateOrderOf } from '#contract/parsing/date-order.ts'
import { DATE_FORMS, type DateForm } from './mapping.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY = 86_400_000

/** A count of days is read as a date only if the mapping asks for it. */
const DEFAULT_FORMS = DATE_FORMS.filter((form) => form !== 'daysAgo')

/** "3/4/2026" in a field whose mapping doesn't say the order. */
export const isUnclearDay = (text: string, forms: readonly DateForm[] | undefined): boolean =>
  forms === undefined && dateOrderOf([text]).ambiguous !== null

/**
 * Reads a date as feeds write it and returns `2026-03-01`; null if it isn't a date. `3/4/2026` needs the forms to name `us` or
 * `eu`; the first of them decides. `daysAgo` counts back from `today`.
 */
export function readDate(text: string, forms: readonly DateForm[] | undefined, today: string): string | null {
  const trimmed = text.trim()
  if (isUnclearDay(trimmed, forms)) return null
  for (const form of forms ?? DEFAULT_FORMS) {
    const day = READ[form](trimmed, today)
    if (day !== null) return day
  }
  return null
}

const READ: Record<DateForm, (text: string, today: string) => string | null> = {
  iso: (text) => numbers(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/, text, [0, 1, 2]),
  compact: (text) => numbers(/^(\d{4})(\d{2})(\d{2})$/, text, [0, 1, 2]),
  us: (text) => numbers(/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[ ,].*)?$/, text, [2, 0, 1]),
  eu: (text) => numbers(/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[ ,].*)?$/, text, [2, 1, 0]),
  words: readWords,
  unix: (text) => {
    if (!/^\d{9,10}$|^\d{12,13}$/.test(text)) return null
    return new Date(Number(text) * (text.length > 10 ? 1 : 1_000)).toISOString().slice(0, 10)
  },
  daysAgo: (text, today) => {
    if (!/^\d{1,5}$/.test(text)) return null
    return new Date(Date.parse(today) - Number(text) * DAY).toISOString().slice(0, 10)
  },
}

function numbers(
  form: RegExp,
  text: string,
  [year, month, day]: readonly [number, number, number],
): string | null {
  const found = form.exec(text)?.slice(1)
  if (found === undefined) return null
  return calendarDay(Number(found[year]), Number(found[month]), Number(found[day]))
}

/** "Nov 21, 2026", "21-Nov-2026", "Saturday, 21 November 2026". */
function readWords(text: string): string | null {
  const words = text.toLowerCase().match(/[a-z]+|\d+/g) ?? []
  const month = words.map((word) => MONTHS.indexOf(word.slice(0, 3))).find((at) => at >= 0)
  const [one, other] = words.filter((word) => /^\d+$/.test(word))
  if (month === undefined || one === undefined || other === undefined || words.length > 8) return null
  const isYearFirst = one.length === 4
  return calendarDay(Number(isYearFirst ? one : other), month + 1, Number(isYearFirst ? other : one))
}

/** Null if the date does not exist. */
function calendarDay(shortYear: number, month: number, day: number): string | null {
  const year = shortYear < 100 ? shortYear + 2000 : shortYear
  if (year < 1900 || year > 2100) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  const isSame = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isSame ? date.toISOString().slice(0, 10) : null
}
