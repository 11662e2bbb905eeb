import { Exact } from './exact.ts'
import { RuleError, type Span } from './rule-error.ts'
import type { Condition, Value } from './tree.ts'

const MAX_WHOLE = 15
const MAX_PLACES = 10

type Literal =
  | { type: 'null' }
  | { type: 'condition'; condition: Condition }
  | { type: 'number' | 'text'; value: Value }

/** A literal value. Numbers are read from the source text, because the parser rounds them. @throws RuleError. */
export function literal(value: unknown, written: string, span: Span): Literal {
  if (value === null) return { type: 'null' }
  if (typeof value === 'boolean') return { type: 'condition', condition: { op: 'constant', holds: value } }
  if (typeof value === 'string') return { type: 'text', value: { op: 'text', text: plainText(value, span) } }
  if (value instanceof Uint8Array) throw new RuleError(`${written} isn't supported in rules.`, span)
  return { type: 'number', value: { op: 'number', digits: digitsOf(written, span) } }
}

function plainText(text: string, span: Span): string {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new RuleError('This text contains an invalid character.', span)
  }
  return text
}

function digitsOf(written: string, span: Span): string {
  if (!/^\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(written)) {
    throw new RuleError('Write a number in plain digits, like 1500 or 0.25.', span)
  }
  const number = new Exact(written)
  if (number.isZero()) return '0'
  if (number.e >= MAX_WHOLE || number.decimalPlaces() > MAX_PLACES) {
    throw new RuleError(
      `A number can have at most ${MAX_WHOLE} digits before the decimal point and ${MAX_PLACES} after it.`,
      span,
    )
  }
  return number.toFixed()
}
