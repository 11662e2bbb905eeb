/** How a user writes numbers and dates. */
export type LocaleFormat = Readonly<{
  decimal: '.' | ','
  order: 'dmy' | 'mdy' | 'ymd'
  locale: string | undefined
}>

const known = new Map<string | undefined, LocaleFormat>()

/** The format of a locale; defaults to the browser's. Found once: asking `Intl` takes as long as reading a hundred values. */
export function localeFormat(locale?: string): LocaleFormat {
  const format = known.get(locale) ?? findFormat(locale)
  known.set(locale, format)
  return format
}

function findFormat(locale: string | undefined): LocaleFormat {
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')
  const letters = new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(new Date(Date.UTC(2025, 0, 15)))
    .map(({ type }) => type[0])
    .filter((letter) => letter === 'd' || letter === 'm' || letter === 'y')
    .join('')
  return { decimal: decimal?.value === ',' ? ',' : '.', order: ORDERS[letters] ?? 'ymd', locale }
}

const ORDERS: Readonly<Record<string, LocaleFormat['order']>> = { dmy: 'dmy', mdy: 'mdy', ymd: 'ymd' }

/** The same format with the other decimal sign, for a table from another locale. */
export const otherDecimal = (format: LocaleFormat): LocaleFormat => ({
  ...format,
  decimal: format.decimal === '.' ? ',' : '.',
})

/** The same format with day and month swapped. */
export const otherOrder = (format: LocaleFormat): LocaleFormat => ({
  ...format,
  order: format.order === 'mdy' ? 'dmy' : 'mdy',
})
