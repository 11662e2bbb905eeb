import { Figure } from '#contract/carbon/factors/figure.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { splitCurrency } from '#contract/parsing/parse-amount.ts'
import { isOnlyIn, parseNumber, type ParseResult } from '#contract/parsing/parse-number.ts'

/** Texts that mean that there is no value. */
export const isBlank = (text: string): boolean => /^(|-+|–|—|n\/?a|null|none|\.|#n\/a)$/i.test(text.trim())

/** The unit that a line says, in its own cell or with its quantity; '' if it says none. */
export const unitWord = ({ unit, quantity }: Readonly<{ unit?: string; quantity?: string }>): string =>
  unit ?? splitAmount(quantity ?? '').unit ?? ''

/** A cell like "1,234 kWh" or "$ (12.50)": the number, whether it is below 0, and the unit behind it. */
export function splitAmount(text: string): { number: string; isNegative: boolean; unit: string | null } {
  const { number: bare } = splitCurrency(text.trim())
  // A letter between digits is a typing error ("1O00"), not a unit.
  const found = /^(.*?\d[)\s.,-]*?(?:\s*cr)?)\s*(m3|[tlg]|\p{L}{2}[^\d]*\d?)?$/iu.exec(bare.trim())
  const [whole, unit] = [(found?.[1] ?? bare).trim(), found?.[2]?.trim() || null]
  // Accountants put credits in parentheses; SAP puts the sign behind; banks write CR.
  const credit = /^\((.+)\)$/.exec(whole)?.[1] ?? /^(.+?)\s*(?:[-−]|cr)$/i.exec(whole)?.[1]
  if (credit !== undefined) return { number: splitCurrency(credit).number, isNegative: true, unit }
  return { number: whole, isNegative: /^[-−–]/.test(whole), unit }
}

/** A number with its sign, in a format. */
export function readAmount(text: string, format: LocaleFormat): ParseResult & { unit?: string | null } {
  const { number, isNegative, unit } = splitAmount(text)
  const read = parseNumber(number, format)
  if ('refusal' in read) return { refusal: read.refusal.replace(`"${number}"`, `"${text.trim()}"`) }
  const digits = read.value.replace(/^-/, '')
  return { value: isNegative && Number(digits) !== 0 ? `-${digits}` : digits, unit }
}

const POINT: LocaleFormat = { decimal: '.', order: 'ymd', locale: undefined }
const COMMA: LocaleFormat = { ...POINT, decimal: ',' }

export const isAmount = (text: string): boolean =>
  'value' in readAmount(text, POINT) || 'value' in readAmount(text, COMMA)

/** "1.234" and "1,234" are a thousand and more to some, and little more than one to others. */
export const isAmbiguous = (text: string): boolean => {
  const { number } = splitAmount(text)
  return /^[-−–]?[1-9]\d{0,2}[.,]\d{3}$/.test(number.replaceAll(/\s/g, ''))
}

export const isOnlyWithPoint = (text: string): boolean => isOnlyIn(splitAmount(text).number, POINT)
export const isOnlyWithComma = (text: string): boolean => isOnlyIn(splitAmount(text).number, COMMA)

/** The formats that a file may have, for figures that are only compared with each other. */
export const FORMATS: readonly LocaleFormat[] = [
  { decimal: '.', order: 'ymd', locale: 'en' },
  { decimal: ',', order: 'ymd', locale: 'en' },
]

/** The figures of some columns, line by line, without the lines in which one can't be read. */
export function figuresOf(
  columns: readonly Readonly<{ cells: readonly string[] }>[],
  format: LocaleFormat,
): Figure[][] {
  const count = Math.max(...columns.map(({ cells }) => cells.length))
  return Array.from({ length: count }, (_, line) =>
    columns.flatMap(({ cells }) => {
      const cell = cells[line] ?? ''
      const read = isAmount(cell) ? readAmount(cell, format) : null
      return read !== null && 'value' in read ? [new Figure(read.value)] : []
    }),
  ).filter((figures) => figures.length === columns.length)
}

/** "($10.00)" as "-$10.00", and "CR $10.00" as "$10.00 CR". */
export function asSigned(text: string | undefined): string | undefined {
  const bracketed = /^\(\s*([^()]*\d[^()]*?)\s*\)$/.exec(text?.trim() ?? '')
  const credited = /^cr\b\.?\s*(.*\d.*)$/i.exec(text?.trim() ?? '')
  if (bracketed?.[1] !== undefined) return `-${bracketed[1]}`
  return credited?.[1] === undefined ? text : `${credited[1]} CR`
}

/** Whether a cost is below 0, also if it is in another currency and isn't kept. */
export const isCredited = (text: string | undefined): boolean =>
  /^[-\u2212\u2013]|[-\u2212\u2013]$|\d\s*cr\.?$/i.test(
    (asSigned(text) ?? '').replaceAll(/[\p{Sc}\s]|[A-Z]{3}\b/gu, ''),
  )
