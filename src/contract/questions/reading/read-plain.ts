import { trimmed } from '#contract/trimmed.ts'
import { readDay } from '../../expressions/days.ts'
import { Exact } from '../../expressions/exact.ts'
import type { QuestionChoice, QuestionOf } from '../definition.ts'
import { compareDigits, placesOf, withoutZeros } from './digits.ts'
import { MAX_DECIMALS, MAX_LINE, MAX_LONG_TEXT, MAX_WHOLE_DIGITS } from '../limits.ts'
import { flaw, type Reading } from './reading.ts'

/** Text with at most `max` characters; on one line unless `max` is that of long text. */
export function readText(
  value: unknown,
  max: number,
  { minLength, maxLength }: { minLength?: number | undefined; maxLength?: number | undefined },
): Reading {
  if (typeof value !== 'string') return flaw('wrongType')
  // Tested first, so that nothing works on a text of any length.
  if (value.length > MAX_LONG_TEXT * 2) return flaw('tooLong', Math.min(maxLength ?? max, max))
  const isLong = max === MAX_LONG_TEXT
  const text = trimmed(isLong ? value.replaceAll(/\r\n?/g, '\n') : value)
  if (text === '') return null
  const isClean = isLong
    ? !/[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/u.test(text)
    : !/[\p{Cc}\u2028\u2029\uFFFE\uFFFF]/u.test(text)
  if (!isClean || !text.isWellFormed()) return flaw('character')
  const most = Math.min(maxLength ?? max, max)
  if (text.length > most) return flaw('tooLong', most)
  return minLength !== undefined && text.length < minLength ? flaw('tooShort', minLength) : { value: text }
}

const PLAIN = new RegExp(`^-?\\d{1,${MAX_WHOLE_DIGITS}}(\\.\\d{1,${MAX_DECIMALS}})?$`)

type NumberLimits = Pick<QuestionOf<'number'>, 'decimals' | 'min' | 'max'>

/** A number as plain digits, without needless zeros. */
export function readNumber(value: unknown, { decimals, min, max }: NumberLimits): Reading {
  if (value === '') return null
  const digits = typeof value === 'number' && Number.isFinite(value) ? new Exact(value).toFixed() : value
  if (typeof digits !== 'string' || digits.length > MAX_LINE) return flaw('notANumber')
  const plain = digits.trim()
  if (plain === '') return null
  if (!PLAIN.test(plain)) return flaw('notANumber')
  const number = withoutZeros(plain)
  if (decimals !== undefined && placesOf(number) > decimals) {
    return decimals === 0 ? flaw('wholeNumber') : flaw('tooManyDecimals', decimals)
  }
  if (min !== undefined && compareDigits(number, min) < 0) return flaw('tooSmall', min)
  return max !== undefined && compareDigits(number, max) > 0 ? flaw('tooLarge', max) : { value: number }
}

/** A date as `2026-03-01`. */
export function readDate(
  value: unknown,
  { earliest, latest }: { earliest?: string | undefined; latest?: string | undefined },
): Reading {
  if (value === '') return null
  if (typeof value !== 'string' || readDay(value) === null) return flaw('notADate')
  if (earliest !== undefined && value < earliest) return flaw('tooEarly', earliest)
  return latest !== undefined && value > latest ? flaw('tooLate', latest) : { value }
}

const valuesOf = new WeakMap<readonly QuestionChoice[], ReadonlySet<unknown>>()

/** The declared value of a choice; null if there is no such choice. */
export function findChoice(value: unknown, choices: readonly QuestionChoice[]): string | null {
  const known = valuesOf.get(choices) ?? new Set<unknown>(choices.map((choice) => choice.value))
  valuesOf.set(choices, known)
  return typeof value === 'string' && known.has(value) ? value : null
}
