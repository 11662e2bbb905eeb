import { MAX_FILTER } from '../queried-list.ts'
import { check, condition } from './check.ts'
import type { Typed } from './typed.ts'
import { parse } from './parse.ts'
import { RuleError } from './rule-error.ts'
import type { Condition, Rule, Value } from './tree.ts'
import type { Variables } from './variables.ts'

/** Why a rule is invalid: a message for users, and the characters it refers to. */
export type Problem = { message: string; from: number; to: number }

/**
 * Parses a rule and checks it against its variables. Never throws: an invalid rule returns a message with its
 * position. Empty text is an error too; the caller decides whether it means "no rule".
 */
export function readRule(
  text: string,
  variables: Variables,
): { ok: true; rule: Rule } | { ok: false; problem: Problem } {
  const read = readTyped(text, variables, condition)
  return read.ok ? { ok: true, rule: { text, tree: read.made, variables } } : read
}

/** The result of a formula for a row: a number, text or a condition. */
export type Formula =
  | Readonly<{ type: 'condition'; tree: Condition }>
  | Readonly<{ type: 'text' | 'number'; value: Value }>

/** Parses a formula: `price_number * 1.05`, `type == "N" ? "new" : "used"`. Never throws. */
export function readFormula(
  text: string,
  variables: Variables,
): { ok: true; made: Formula } | { ok: false; problem: Problem } {
  return readTyped(text, variables, (typed): Formula => {
    if (typed.type === 'condition') return { type: 'condition', tree: typed.condition }
    if (typed.type === 'text' || typed.type === 'number') return { type: typed.type, value: typed.value }
    throw new RuleError('The formula must return text, a number, or yes or no.', typed)
  })
}

function readTyped<T>(
  text: string,
  variables: Variables,
  take: (typed: Typed) => T,
): { ok: true; made: T } | { ok: false; problem: Problem } {
  try {
    if (text.trim() === '') throw new RuleError('The rule is empty.', { from: 0, to: text.length })
    if (text.length > MAX_FILTER) {
      throw new RuleError(`A rule can have at most ${MAX_FILTER} characters.`, {
        from: MAX_FILTER,
        to: text.length,
      })
    }
    return { ok: true, made: take(check(parse(text), { text, variables, comparisons: 0, sums: 0 })) }
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    return { ok: false, problem: { message: error.message, ...error.span } }
  }
}
