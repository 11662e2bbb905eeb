import { readRule } from '#contract/expressions/read.ts'
import { fromRules, toRules } from '#contract/expressions/rules.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { type BuilderGroup, fromBuilder, isUntouched, NO_CONDITIONS, toBuilder } from './builder-group.ts'

/**
 * A rule that is being written, on the face that it is written on. In the builder `before` is what it opened with: as
 * long as nothing differs, the rule stays `text`, byte for byte.
 */
export type RuleDraft = Readonly<
  | { face: 'builder'; text: string; before: BuilderGroup; group: BuilderGroup }
  | { face: 'text'; text: string }
>

/** What came of it: text of a rule ('' for no condition at all), or the sentence that says what is wrong, and where. */
export type Written = Readonly<
  { ok: true; text: string } | { ok: false; message: string; from: number | null; to: number }
>

/** A rule as it opens: in the builder, where rows can say it, otherwise as text. */
export function openDraft(text: string, variables: Variables): RuleDraft {
  const group = rowsOf(text, variables)
  return typeof group === 'string' ? { face: 'text', text } : inBuilder(text, group)
}

/** The same rule in the builder, or the sentence that says why the builder cannot show it. */
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
  if (!read.ok) return 'The builder opens once the rule can be read.'
  const rules = toRules(read.rule)
  if (rules === null) return 'This rule says more than the rows of the builder can, so it stays text.'
  return toBuilder(rules, variables)
}

/** What a draft says so far. */
export function writtenOf(draft: RuleDraft, variables: Variables): Written {
  if (draft.face === 'text') return checked(draft.text, variables)
  if (isUntouched(draft.group, draft.before)) return checked(draft.text, variables)
  const group = fromBuilder(draft.group, variables)
  if (typeof group === 'string') return { ok: false, message: group, from: null, to: 0 }
  return checked(fromRules(group, variables), variables)
}

function checked(text: string, variables: Variables): Written {
  if (text.trim() === '') return { ok: true, text: '' }
  const read = readRule(text, variables)
  return read.ok ? { ok: true, text } : { ok: false, ...read.problem }
}

/** Whether a rule lets everything through: it has no condition, or one that always holds. */
export function isEverything(text: string, variables: Variables): boolean {
  if (text === '') return true
  const read = readRule(text, variables)
  return read.ok && read.rule.tree.op === 'constant' && read.rule.tree.holds
}
