import { MAX_FILTER } from '../queried-list.ts'
import { check, condition } from './check.ts'
import type { Typed } from './typed.ts'
import { parse } from './parse.ts'
import { Unreadable } from './unreadable.ts'
import type { Condition, Rule, Value } from './tree.ts'
import type { Variables } from './variables.ts'

/** Why a rule cannot be read: a sentence for people, and the characters of the text it is about. */
export type Problem = { message: string; from: number; to: number }

/**
 * A rule people wrote, checked against what it may speak of. Never throws: what cannot be read comes back as a sentence
 * with its place. Empty text is a problem too; where it stands for "no rule" is the caller's to know.
 */
export function readRule(
  text: string,
  variables: Variables,
): { ok: true; rule: Rule } | { ok: false; problem: Problem } {
  const read = readTyped(text, variables, condition)
  return read.ok ? { ok: true, rule: { text, tree: read.made, variables } } : read
}

/** What makes a value of a row: a number, text, or whether something holds. */
export type Formula =
  | Readonly<{ type: 'condition'; tree: Condition }>
  | Readonly<{ type: 'text' | 'number'; value: Value }>

/** The same for text that makes a value: `price_number * 1.05`, `type == "N" ? "new" : "used"`. Never throws. */
export function readFormula(
  text: string,
  variables: Variables,
): { ok: true; made: Formula } | { ok: false; problem: Problem } {
  return readTyped(text, variables, (typed): Formula => {
    if (typed.type === 'condition') return { type: 'condition', tree: typed.condition }
    if (typed.type === 'text' || typed.type === 'number') return { type: typed.type, value: typed.value }
    throw new Unreadable('This gives neither text nor a number, nor yes or no.', typed)
  })
}

function readTyped<T>(
  text: string,
  variables: Variables,
  take: (typed: Typed) => T,
): { ok: true; made: T } | { ok: false; problem: Problem } {
  try {
    if (text.trim() === '') throw new Unreadable('The rule is empty.', { from: 0, to: text.length })
    if (text.length > MAX_FILTER) {
      throw new Unreadable(`A rule may have at most ${MAX_FILTER} characters.`, {
        from: MAX_FILTER,
        to: text.length,
      })
    }
    return { ok: true, made: take(check(parse(text), { text, variables, comparisons: 0, sums: 0 })) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { ok: false, problem: { message: error.message, ...error.span } }
  }
}
