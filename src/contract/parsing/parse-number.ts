import type { LocaleFormat } from './locale-format.ts'

/** The result of parsing: the stored value, or the reason it was rejected. */
export type ParseResult = Readonly<{ value: string } | { refusal: string }>

/**
 * Parses a number to plain digits ("-1234.5"). Never guesses: ambiguous input is rejected with a suggestion,
 * because nobody would notice a bill that is off by a factor of a thousand.
 */
export function parseNumber(text: string, { decimal }: LocaleFormat): ParseResult {
  const tidy = withoutSpaces(text)
  if (/^-?\d+$/.test(tidy)) return { value: withoutZeros(tidy) }
  if (/\de[+-]?\d/i.test(tidy)) return refuse(text, 'is shortened. Enter all digits of the number.')
  if (!/^-?[\d.,]+$/.test(tidy) || !/\d/.test(tidy)) return refuse(text, "isn't a number.")
  const group = decimal === '.' ? ',' : '.'
  const own = parse(tidy, decimal, group)
  if (own !== null) return { value: withoutZeros(own) }
  // Both separators are present, so it is unambiguous.
  const isPlainElsewhere = tidy.includes('.') && tidy.includes(',')
  const other = parse(tidy, group, decimal)
  if (isPlainElsewhere && other !== null) return { value: withoutZeros(other) }
  if (other !== null) {
    const meant = other.replace('.', decimal)
    return refuse(text, `is ambiguous. If you mean ${meant}, enter it that way.`)
  }
  return refuse(text, "isn't a number.")
}

/** Spaces and apostrophes count only between groups of three digits: "12 34" may be two numbers, or lack a digit. */
const withoutSpaces = (text: string): string =>
  text
    .trim()
    .replace(/^[-\u2212\u2013]\s*/, '-')
    .replace(/^-?\d{1,3}(?:[\s'\u2019]\d{3})+(?=$|[.,])/, (whole) => whole.replaceAll(/[\s'\u2019]/g, ''))

/** Whether a number is only valid in this format, not in the other one. */
export function isOnlyIn(text: string, { decimal }: LocaleFormat): boolean {
  const tidy = withoutSpaces(text)
  const group = decimal === '.' ? ',' : '.'
  return /[.,]/.test(tidy) && parse(tidy, decimal, group) !== null && parse(tidy, group, decimal) === null
}

/** Parses digits with this decimal sign and groups of exactly three, or as in India (12,34,567); null if the text doesn't match. */
function parse(text: string, decimal: string, group: string): string | null {
  const [whole = '', places, ...more] = text.split(decimal)
  if (more.length > 0 || places?.includes(group)) return null
  const digits = whole.replace(/^-/, '')
  const isGrouped = digits.includes(group)
  const isIndian = group === ',' && /^\d{1,2}(,\d{2})+,\d{3}$/.test(digits)
  if (isGrouped && !isIndian && !digits.split(group).every((part, at) => isGroup(part, at === 0))) return null
  // "0.375" isn't 375.
  if (isGrouped && digits.startsWith('0')) return null
  const sign = whole.startsWith('-') ? '-' : ''
  const plain = digits.replaceAll(group, '')
  if (plain === '' && (places ?? '') === '') return null
  return `${sign}${plain === '' ? '0' : plain}${places ? `.${places}` : ''}`
}

const isGroup = (part: string, isFirst: boolean) => (isFirst ? /^\d{1,3}$/ : /^\d{3}$/).test(part)

function withoutZeros(digits: string): string {
  const tidy = digits.replace(/^(-?)0+(?=\d)/, '$1')
  return tidy === '-0' ? '0' : tidy
}

const refuse = (text: string, why: string): ParseResult => ({ refusal: `"${text}" ${why}` })

/** Plain digits in the user's format, with thousands separators. Never rounds. */
export function showNumber(value: string, { decimal }: LocaleFormat): string {
  const [whole = '', places] = value.replace(/^-/, '').split('.')
  const parted = whole.replaceAll(/\B(?=(\d{3})+$)/g, decimal === '.' ? ',' : '.')
  const sign = value.startsWith('-') ? '\u2212' : ''
  return places === undefined ? `${sign}${parted}` : `${sign}${parted}${decimal}${places}`
}
