import type { PersonFormat } from './person-format.ts'

/** What was read of a text: the value that is kept, or why there is none. */
export type Read = Readonly<{ value: string } | { refusal: string }>

/**
 * A number as people write it, as plain digits ("-1234.5"). Never guesses: what may be read in two ways is refused with
 * what to write instead, because a bill read as a thousandth of itself is found by nobody.
 */
export function readNumber(text: string, { decimal }: PersonFormat): Read {
  const tidy = text.replaceAll(/[\s\u00a0\u202f\u2009'\u2019]/g, '').replace(/^[\u2212\u2013]/, '-')
  if (/^-?\d+$/.test(tidy)) return { value: withoutZeros(tidy) }
  if (/\de[+-]?\d/i.test(tidy)) return refuse(text, 'is shortened by the spreadsheet. Paste it in full.')
  if (!/^-?[\d.,]+$/.test(tidy) || !/\d/.test(tidy)) return refuse(text, 'is not a number.')
  const group = decimal === '.' ? ',' : '.'
  const own = parse(tidy, decimal, group)
  if (own !== null) return { value: withoutZeros(own) }
  // Both signs stand in it, so there is only one way to read it.
  const isPlainElsewhere = tidy.includes('.') && tidy.includes(',')
  const other = parse(tidy, group, decimal)
  if (isPlainElsewhere && other !== null) return { value: withoutZeros(other) }
  if (other !== null) {
    const meant = other.replace('.', decimal)
    return refuse(text, `may be read in two ways. Write ${meant} if that is what it says.`)
  }
  return refuse(text, 'is not a number.')
}

/** Whether a number reads in this format and could not be meant in the other one. */
export function isOnlyIn(text: string, { decimal }: PersonFormat): boolean {
  const tidy = text.replaceAll(/[\s\u00a0\u202f\u2009'\u2019]/g, '')
  const group = decimal === '.' ? ',' : '.'
  return /[.,]/.test(tidy) && parse(tidy, decimal, group) !== null && parse(tidy, group, decimal) === null
}

/** Digits with this decimal sign, and groups of exactly three; null where that is not what stands there. */
function parse(text: string, decimal: string, group: string): string | null {
  const [whole = '', places, ...more] = text.split(decimal)
  if (more.length > 0 || places?.includes(group)) return null
  const digits = whole.replace(/^-/, '')
  const isGrouped = digits.includes(group)
  if (isGrouped && !digits.split(group).every((part, at) => isGroup(part, at === 0))) return null
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

const refuse = (text: string, why: string): Read => ({ refusal: `"${text}" ${why}` })

/** Plain digits as the person writes them, thousands parted. Every digit stays: nothing is rounded in a cell. */
export function showNumber(value: string, { decimal }: PersonFormat): string {
  const [whole = '', places] = value.replace(/^-/, '').split('.')
  const parted = whole.replaceAll(/\B(?=(\d{3})+$)/g, decimal === '.' ? ',' : '.')
  const sign = value.startsWith('-') ? '\u2212' : ''
  return places === undefined ? `${sign}${parted}` : `${sign}${parted}${decimal}${places}`
}
