import type { FileFormat } from '#contract/carbon/activity/import-mapping.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { parseDate } from '#contract/parsing/parse-date.ts'
import type { ParseResult } from '#contract/parsing/parse-number.ts'

/** Day 0 of dates in workbooks. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30)
const DAY = 86_400_000
/** The first letters of the months in the languages of most bills, in plain letters. */
const MONTHS: readonly RegExp[] = [
  /^(jan|ene|gen|sty)/,
  /^(feb|fev|lut)/,
  /^(mar|mrz|maa|maer|mrt)/,
  /^(apr|avr|abr|kwi)/,
  /^(may|mai|maj|mag|mei)/,
  /^(jun|juin|giu|cze)/,
  /^(jul|juil|lug|lip)/,
  /^(aug|aou|ago|sie)/,
  /^(sep|set|wrz)/,
  /^(oct|okt|ott|out|paz)/,
  /^(nov|lis)/,
  /^(dec|dez|dic|des|gru)/,
]
const MONTH_WORD = '\\p{L}{3,12}'

type Month = { year: number | null; month: number; count: number }

/**
 * A date in a file: as people write it, in several languages, as an Excel serial number (45658), or as a whole month or
 * quarter ("2025-01", "Jan 2025", "01/2025", "Q1 2025"), which means its first or last day.
 * @param year the year of a month that names none.
 */
export function readImportDay(
  text: string,
  format: FileFormat,
  which: 'first' | 'last',
  year: number | null = null,
): ParseResult {
  const month = monthOf(text)
  if (month !== null) {
    const own = month.year ?? year
    return own === null ? { refusal: `“${text}” doesn't say the year.` } : { value: dayOf(own, month, which) }
  }
  if (/^\d{5}(\.\d+)?$/.test(text)) {
    const serial = Math.floor(Number(text))
    // 1968 to 2064. Other five-digit numbers are not dates.
    if (serial >= 25_000 && serial <= 60_000)
      return { value: new Date(EXCEL_EPOCH + serial * DAY).toISOString().slice(0, 10) }
  }
  const person: LocaleFormat = { ...format, locale: 'en' }
  return parseDate(inEnglish(text), person)
}

/** Whether a text names a whole month or quarter, perhaps without its year. */
export const isMonth = (text: string): boolean => monthOf(text) !== null

/** "January", without a year. */
export const isMonthOnly = (text: string): boolean => monthOf(text)?.year === null

/** Whether a text is a date or a month in some format. */
export const isDay = (text: string): boolean =>
  /\D|^(19|20)\d{6}$/.test(text) &&
  ORDERS.some((order) => 'value' in readImportDay(text, { decimal: '.', order }, 'first', 2000))

const ORDERS = ['ymd', 'dmy', 'mdy'] as const

const plainLetters = (text: string): string =>
  text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

function monthNumber(word: string): number {
  const plain = plainLetters(word)
  // "March" in German has an umlaut, which is one letter here.
  return MONTHS.findIndex((is) => is.test(plain)) + 1
}

/** "3. März 2025" as "3. Mar 2025": dates are parsed with English months. */
function inEnglish(text: string): string {
  return text
    .replace(new RegExp(MONTH_WORD, 'u'), (word) => {
      const found = monthNumber(word)
      return found === 0 ? word : (ENGLISH[found - 1] ?? word)
    })
    .replaceAll(/ (de|del|di) /g, ' ')
    .replace(/^(le )?1er /i, '1 ')
}
const ENGLISH = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

function monthOf(typed: string): Month | null {
  const text = typed.trim()
  const iso = /^(\d{4})[-/.](\d{1,2})$/.exec(text) ?? /^((?:19|20)\d{2})(0[1-9]|1[0-2])$/.exec(text)
  const figures = iso ?? /^(\d{1,2})[-/.](\d{4})$/.exec(text)
  if (figures !== null) {
    const [year, month] = iso === null ? [figures[2], figures[1]] : [figures[1], figures[2]]
    const isReal = Number(month) >= 1 && Number(month) <= 12
    return isReal ? { year: Number(year), month: Number(month), count: 1 } : null
  }
  const quarter = /^(?:Q([1-4])[-\s/]*(\d{4})|(\d{4})[-\s/]*Q([1-4]))$/i.exec(text)
  if (quarter !== null) {
    const at = Number(quarter[1] ?? quarter[4])
    return { year: Number(quarter[2] ?? quarter[3]), month: at * 3 - 2, count: 3 }
  }
  const words = new RegExp(`^(${MONTH_WORD})\\.?(?:[-\\s,/']+(?:de )?(\\d{4}|\\d{2}))?$`, 'u').exec(text)
  const turned = words ?? new RegExp(`^(\\d{4})[-\\s,/]+(${MONTH_WORD})\\.?$`, 'u').exec(text)
  if (turned === null) return null
  const [name, year] = words === null ? [turned[2], turned[1]] : [turned[1], turned[2]]
  const month = monthNumber(name ?? '')
  if (month === 0 || !isMonthName(name ?? '')) return null
  return { year: year === undefined ? null : fullYear(Number(year)), month, count: 1 }
}

/** Other words begin like months too: "Market", "Notes". */
const isMonthName = (name: string): boolean =>
  /^(jan(uary|uar|uari|v|vier|eiro)?|jan\.?|ene(ro)?|gen(n|naio)?|feb(r|br|ruary|ruar|ruari|rero|brero|braio)?|fev(r|rier|ereiro)?|mar(ch|z|s|zo|co|ts)?|mrz|maerz|maart|mrt|apr(il|ile)?|avr(il)?|abr(il)?|may|mai|maj|mayo|mag(gio)?|maio|mei|jun(e|i|io|ho)?|juin|giu(gno)?|jul(y|i|io|ho)?|juil(let)?|lug(lio)?|aug(ust|usti|ustus)?|aout|ago(sto)?|sep(t|tember|tembre|tiembre)?|set(t|tembre|embro)?|oct(ober|obre|ubre)?|okt(ober)?|ott(obre)?|out(ubro)?|nov(ember|embre|iembre|embro)?|dec(ember|embre)?|dez(ember|embro)?|dic(iembre|embre)?|des(ember)?)$/.test(
    plainLetters(name),
  )

const fullYear = (year: number): number => (year < 100 ? 2000 + year : year)

const dayOf = (year: number, { month, count }: Month, which: 'first' | 'last'): string =>
  new Date(Date.UTC(year, which === 'first' ? month - 1 : month - 1 + count, which === 'first' ? 1 : 0))
    .toISOString()
    .slice(0, 10)

/** "2025-04-03 to 2025-05-02" in one cell; null: not a range. */
export function splitRange(text: string): [string, string] | null {
  const tidy = text.trim()
  for (const between of [
    /\s+(?:to|bis|au|al?|tot|until|through|thru|till|til)\s+/i,
    /\s+[-–—]\s+/,
    /\s*[–—~]\s*/,
    /\s*\/\s*(?=\d{4}-)/,
    /(?<=[/.]\d{2}(?:\d{2})?)\s*-\s*(?=\d{1,2}[/.]\d)/,
    /(?<=\d{4})-(?=\d{4}-\d)/,
  ]) {
    const [first, last, ...more] = tidy.split(between)
    if (first !== undefined && last !== undefined && more.length === 0 && isDayLike(last) && isStart(first))
      return [withYear(first.replace(/^(?:from|von|du|del?|dal|van)\s+/i, ''), last), last]
  }
  return null
}

const isDayLike = (text: string): boolean => isDay(text)
const isStart = (text: string): boolean => /\d/.test(text)

/** "Apr 3 - May 2, 2025": the first day is in the year of the last one. */
function withYear(first: string, last: string): string {
  if (isDay(first) && !isMonthOnly(first)) return first
  const year = /((?:19|20)\d{2})/.exec(last)?.[1] ?? ''
  const named = /^\p{L}{3,12}\.? +\d{1,2}$/u.test(first)
  if (named) return `${first}, ${year}`
  const numbers = /^\d{1,2}([/.])\d{1,2}\.?$/.exec(first)
  return numbers === null ? first : `${first.replace(/\.$/, '')}${numbers[1]}${year}`
}

/** The time of day in a text, in minutes: "2025-09-04 00:15", "1:00 PM", "12:00:00 AM". Null: none. */
export function minutesIn(text: string): number | null {
  const found =
    /(?:^|[T\s])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?(?:\s?([AaPp])\.?[Mm]\.?)?(?:\s?(?:Z|[+-]\d{2}:?\d{2}))?$/.exec(
      text.trim(),
    )
  if (found === null) return null
  const half = found[4]?.toLowerCase()
  const hour = Number(found[1])
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)
  return hours * 60 + Number(found[2])
}

/** The time of day in a column of times, in minutes: as `minutesIn`, and "0015", "00.15", "0h15", "1 h", "1 Uhr". Null: none. */
export function clockIn(text: string): number | null {
  const found =
    /^(\d{1,2})(?:[.h](\d{2})|\s*(?:h|u|hr|hrs|hours?|uhr|uur|heures?|horas?|ore))\s*(?:uhr|uur|h)?\.?$/i.exec(
      text.trim(),
    ) ?? /^(\d{2})(\d{2})$/.exec(text.trim())
  const clock = minutesIn(text)
  if (clock !== null || found === null) return clock
  const [hours, minutes] = [Number(found[1]), Number(found[2] ?? 0)]
  return minutes < 60 ? hours * 60 + minutes : null
}

/** "1", "HE 01", "24.0" in a column of times: the number of an hour, or of a part of it. Null: no number, or several. */
export function numberIn(text: string): number | null {
  const found = /^\D*(\d{1,3})(?:\.0)?\D*$/.exec(text)
  return found === null ? null : Number(found[1])
}

/** "2025-09-04 00:15" in every line, with many times a day: measured in intervals. A date of reading has a time too, but one. */
export function hasManyTimes(texts: readonly string[]): boolean {
  const timed = texts.filter((text) => minutesIn(text) !== null)
  const days = new Set(timed.map((text) => text.trim().split(/[T\s]/)[0]))
  return new Set(timed.map(minutesIn)).size >= 3 && timed.length > 2 * days.size
}

/** "00:15", "1:00 PM", "HE 01", "Hour 24": a time of day and nothing else. */
export const isTimeOnly = (text: string): boolean =>
  /^\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?( ?[-–] ?\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?)?$/i.test(
    text.trim(),
  ) || /^(he|hh|hr|hour|h|sp|std|stunde|interval|int) ?\d{1,2}$/i.test(text.trim())
