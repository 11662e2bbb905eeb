import { MAX_FILTER } from '../queried-list.ts'
import { check, condition } from './check.ts'
import { parse } from './parse.ts'
import { Unreadable } from './unreadable.ts'
import type { Rule } from './tree.ts'
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
  try {
    if (text.trim() === '') throw new Unreadable('The rule is empty.', { from: 0, to: text.length })
    if (text.length > MAX_FILTER) {
      throw new Unreadable(`A rule may have at most ${MAX_FILTER} characters.`, {
        from: MAX_FILTER,
        to: text.length,
      })
    }
    const tree = condition(check(parse(text), { text, variables, comparisons: 0, sums: 0 }))
    return { ok: true, rule: { text, tree, variables } }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { ok: false, problem: { message: error.message, ...error.span } }
  }
}
