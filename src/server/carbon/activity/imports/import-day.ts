import type { FileFormat } from '#contract/carbon/activity/import-mapping.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { parseDate } from '#contract/parsing/parse-date.ts'
import type { ParseResult } from '#contract/parsing/parse-number.ts'

/** Day 0 of dates in workbooks. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30)
const DAY = 86_400_000
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * A date in a file: as people write it, as an Excel serial number (45658), or as a whole month ("2025-01", "Jan 2025",
 * "01/2025"), which means its first or last day.
 */
export function readImportDay(text: string, format: FileFormat, which: 'first' | 'last'): ParseResult {
  const month = monthOf(text.trim())
  if (month !== null) return { value: dayOf(month.year, month.month, which) }
  if (/^\d{5}(\.\d+)?$/.test(text)) {
    const serial = Math.floor(Number(text))
    // 1968 to 2064. Other five-digit numbers are not dates.
    if (serial >= 25_000 && serial <= 60_000)
      return { value: new Date(EXCEL_EPOCH + serial * DAY).toISOString().slice(0, 10) }
  }
  const person: LocaleFormat = { ...format, locale: 'en' }
  return parseDate(text, person)
}

/** Whether a text names a whole month. */
export const isMonth = (text: string): boolean => monthOf(text.trim()) !== null

function monthOf(text: string): { year: number; month: number } | null {
  const iso = /^(\d{4})[-/.](\d{1,2})$/.exec(text)
  const figures = iso ?? /^(\d{1,2})[-/.](\d{4})$/.exec(text)
  if (figures !== null) {
    const [year, month] = iso === null ? [figures[2], figures[1]] : [figures[1], figures[2]]
    return Number(month) >= 1 && Number(month) <= 12 ? { year: Number(year), month: Number(month) } : null
  }
  const words = /^([a-z]{3,9})\.?[-\s,]+(\d{4}|\d{2})$/i.exec(text)
  const month = MONTHS.indexOf(words?.[1]?.toLowerCase().slice(0, 3) ?? '')
  if (words === null || month < 0) return null
  const year = Number(words[2])
  return { year: year < 100 ? 2000 + year : year, month: month + 1 }
}

const dayOf = (year: number, month: number, which: 'first' | 'last'): string =>
  new Date(Date.UTC(year, which === 'first' ? month - 1 : month, which === 'first' ? 1 : 0))
    .toISOString()
    .slice(0, 10)
