/** How a person writes numbers and days. */
export type PersonFormat = Readonly<{
  decimal: '.' | ','
  order: 'dmy' | 'mdy' | 'ymd'
  locale: string | undefined
}>

/** The format of a language, without one that of the browser. */
export function formatOf(locale?: string): PersonFormat {
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')
  const letters = new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(new Date(Date.UTC(2025, 0, 15)))
    .map(({ type }) => type[0])
    .filter((letter) => letter === 'd' || letter === 'm' || letter === 'y')
    .join('')
  return { decimal: decimal?.value === ',' ? ',' : '.', order: ORDERS[letters] ?? 'ymd', locale }
}

const ORDERS: Readonly<Record<string, PersonFormat['order']>> = { dmy: 'dmy', mdy: 'mdy', ymd: 'ymd' }

/** The same person, whose table comes from somebody with the other decimal sign. */
export const otherDecimal = (format: PersonFormat): PersonFormat => ({
  ...format,
  decimal: format.decimal === '.' ? ',' : '.',
})

/** The same person, whose table has day and month the other way round. */
export const otherOrder = (format: PersonFormat): PersonFormat => ({
  ...format,
  order: format.order === 'mdy' ? 'dmy' : 'mdy',
})
