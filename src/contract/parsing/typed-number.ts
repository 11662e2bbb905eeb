import { localeFormat } from './locale-format.ts'
import { parseNumber } from './parse-number.ts'

/**
 * A number as someone types it into a text field of a form, in their language: "1,234.5". NaN if it can't be read or could mean
 * two numbers, so that the contract's error message is shown. Nothing is dropped to make a number of it: "1.5" is never 15.
 */
export function typedNumber(text: string): number {
  const parsed = parseNumber(text, localeFormat())
  return 'value' in parsed ? Number(parsed.value) : Number.NaN
}

/** The same with or without a percent sign: "30" and "30 %". */
export const typedPercent = (text: string): number => typedNumber(text.replace(/\s*%\s*$/, ''))

/** Null for a blank field; otherwise what `read` makes of it. */
export const unlessBlank = (text: string, read: (text: string) => number = typedNumber): number | null =>
  text.trim() === '' ? null : read(text)

/** A number, or its digits, as a text field shows it, so that `typedNumber` reads it again. Blank for null. */
export const typeNumber = (value: number | string | null | undefined): string =>
  String(value ?? '').replace('.', localeFormat().decimal)
