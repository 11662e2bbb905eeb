import type { LocaleFormat } from './locale-format.ts'
import type { ParseResult } from './parse-number.ts'

/** Parses a date to "2025-01-31": digits in the user's order, ISO, or with the name of the month. */
export function parseDate(text: string, format: LocaleFormat): ParseResult {
  const tidy = text.trim().replace(TIME, '')
  const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(tidy)
  if (compact) return day(text, compact[1], compact[2], compact[3])
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(tidy)
  if (iso) return day(text, iso[1], iso[2], iso[3])
  const figures = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(tidy)
  if (figures) {
    const [, first, second, year] = figures
    return format.order === 'mdy' ? day(text, year, first, second) : day(text, year, second, first)
  }
  const dayFirst = /^(\d{1,2})[-. ]+(\p{L}{3,12})\.?[-, ]+(\d{4}|\d{2})$/u.exec(tidy)
  if (dayFirst) return day(text, dayFirst[3], monthOf(dayFirst[2], format), dayFirst[1])
  const monthFirst = /^(\p{L}{3,12})\.? +(\d{1,2}),? +(\d{4})$/u.exec(tidy)
  if (monthFirst) return day(text, monthFirst[3], monthOf(monthFirst[1], format), monthFirst[2])
  return { refusal: `"${text}" isn't a date. Enter it like 2025-01-31.` }
}

/** The time of day after a date: "00:15", "12:00:00 AM", "T23:59:59.5-07:00". */
const TIME =
  /(?:T|,? +)\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?$/

/** Shows "2025-01-31" in the user's order; other text is returned unchanged. */
export function showDate(value: string, { order }: LocaleFormat): string {
  const [year = '', month = '', date = ''] = value.split('-')
  if (date === '') return value
  if (order === 'mdy') return `${month}/${date}/${year}`
  return order === 'dmy' ? `${date}.${month}.${year}` : value
}

function day(text: string, year = '', month = '', date = ''): ParseResult {
  const full = year.length === 2 ? `20${year}` : year
  const value = `${full}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const time = Date.parse(`${value}T00:00:00Z`)
  // Date.parse would accept February 31 as March 3.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) {
    return { refusal: `"${text}" isn't a valid date. Enter it like 2025-01-31.` }
  }
  return { value }
}

function monthOf(word: string | undefined, { locale }: LocaleFormat): string {
  const start = (word ?? '').toLowerCase().slice(0, 3)
  for (const language of ['en', locale]) {
    const names = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
    for (let month = 0; month < 12; month += 1) {
      const name = names.format(new Date(Date.UTC(2025, month, 15))).toLowerCase()
      if (name.startsWith(start)) return String(month + 1)
    }
  }
  return ''
}
