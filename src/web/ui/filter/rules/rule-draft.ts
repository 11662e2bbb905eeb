import { readRule } from '#contract/expressions/read.ts'
import { fromRules, toRules } from '#contract/expressions/rules.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { type BuilderGroup, fromBuilder, isUntouched, NO_CONDITIONS, toBuilder } from './builder-group.ts'

/**
 * A rule being edited, in one of two modes. In the builder, `before` is its initial state: while nothing differs,
 * the rule stays `text`, byte for byte.
 */
export type RuleDraft = Readonly<
  | { face: 'builder'; text: string; before: BuilderGroup; group: BuilderGroup }
  | { face: 'text'; text: string }
>

/** The resulting rule text ('' if there are no conditions), or an error message with its position. */
export type DraftResult = Readonly<
  { ok: true; text: string } | { ok: false; message: string; from: number | null; to: number }
>

/** Opens a rule in the builder if rows can express it, otherwise as text. */
export function openDraft(text: string, variables: Variables): RuleDraft {
  const group = rowsOf(text, variables)
  return typeof group === 'string' ? { face: 'text', text } : inBuilder(text, group)
}

/** Switches to the builder, or returns a message that says why the builder can't show the rule. */
export function toBuilderMode({ text }: RuleDraft, variables: Variables): RuleDraft | string {
  const group = rowsOf(text, variables)
  return typeof group === 'string' ? group : inBuilder(text, group)
}

function inBuilder(text: string, group: BuilderGroup): RuleDraft {
  return { face: 'builder', text, before: group, group }
}

function rowsOf(text: string, variables: Variables): BuilderGroup | string {
  if (text.trim() === '') return NO_CONDITIONS
  const read = readRule(text, variables)
  if (!read.ok) return 'Fix the rule to use the builder.'
  const rules = toRules(read.rule)
  if (rules === null) return "The builder can't show this rule, so it can only be edited as text."
  return toBuilder(rules, variables)
}

/** The current result of a draft. */
export function draftResult(draft: RuleDraft, variables: Variables): DraftResult {
  if (draft.face === 'text') return checked(draft.text, variables)
  if (isUntouched(draft.group, draft.before)) return checked(draft.text, variables)
  const group = fromBuilder(draft.group, variables)
  if (typeof group === 'string') return { ok: false, message: group, from: null, to: 0 }
  return checked(fromRules(group, variables), variables)
}

function checked(text: string, variables: Variables): DraftResult {
  if (text.trim() === '') return { ok: true, text: '' }
  const read = readRule(text, variables)
  return read.ok ? { ok: true, text } : { ok: false, ...read.problem }
}

/** Whether a rule matches everything: it has no conditions, or is always true. */
export function isEverything(text: string, variables: Variables): boolean {
  if (text === '') return true
  const read = readRule(text, variables)
  return read.ok && read.rule.tree.op === 'constant' && read.rule.tree.holds
}
