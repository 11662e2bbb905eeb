import type { PersonFormat } from './person-format.ts'
import type { Read } from './read-number.ts'

/** A day as people write it, as "2025-01-31": by figures in their order, as ISO, or with the name of the month. */
export function readDate(text: string, format: PersonFormat): Read {
  const tidy = text.trim().replace(/[T ]\d{1,2}:\d{2}(:\d{2})?(\.\d+)?Z?$/, '')
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
  return { refusal: `"${text}" is not a day. Write it as 2025-01-31.` }
}

/** "2025-01-31" in the order of the person; what is no day stays as it is. */
export function showDate(value: string, { order }: PersonFormat): string {
  const [year = '', month = '', date = ''] = value.split('-')
  if (date === '') return value
  if (order === 'mdy') return `${month}/${date}/${year}`
  return order === 'dmy' ? `${date}.${month}.${year}` : value
}

function day(text: string, year = '', month = '', date = ''): Read {
  const full = year.length === 2 ? `20${year}` : year
  const value = `${full}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const time = Date.parse(`${value}T00:00:00Z`)
  // A 31 February is read as 3 March by the clock.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) {
    return { refusal: `"${text}" is not a day of the calendar. Write it as 2025-01-31.` }
  }
  return { value }
}

function monthOf(word: string | undefined, { locale }: PersonFormat): string {
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
