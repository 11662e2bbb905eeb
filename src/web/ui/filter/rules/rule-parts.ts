import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import { readRule } from '#contract/expressions/read.ts'
import { conjuncts } from '#contract/expressions/rules.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import type { Referred } from '#contract/lists/list.ts'

/** A part of a rule, combined with the others by "and". */
export type Part = Readonly<{ text: string; leaf: RuleLeaf | null }>

/** The parts of a filter, one chip each. An invalid filter is a single part: its text. */
export function partsOf(filter: string, variables: Variables): readonly Part[] {
  if (filter.trim() === '') return []
  const read = readRule(filter, variables)
  return read.ok ? conjuncts(read.rule) : [{ text: filter, leaf: null }]
}

/** The filter with one part replaced; at the end it is added. The other parts stay as written. */
export function withPart(parts: readonly Part[], at: number, text: string): string {
  const texts = parts.map((part) => part.text)
  return [...texts.slice(0, at), text, ...texts.slice(at + 1)].join(' && ')
}

/** The filter without one part. */
export function withoutPart(parts: readonly Part[], at: number): string {
  return parts
    .filter((_, index) => index !== at)
    .map((part) => part.text)
    .join(' && ')
}

/** The IDs of the records that parts refer to, by kind: a chip shows their names. */
export function referredBy(parts: readonly Part[], variables: Variables): Map<Referred, string[]> {
  const found = new Map<Referred, string[]>()
  for (const { leaf } of parts) {
    const kind = leaf === null ? undefined : variables[leaf.field]?.refersTo
    if (leaf === null || kind === undefined) continue
    const ids = [leaf.value].flat().filter((id) => typeof id === 'string')
    found.set(kind, [...(found.get(kind) ?? []), ...ids])
  }
  return found
}
