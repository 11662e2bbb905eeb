import { describeLeaf, type NameOf } from '#contract/expressions/describe.ts'
import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { daysSuffix, draftOf, comparisonLabel } from './condition.ts'

/** "Days", "is over", "45". The value is emphasized and never empty. */
export type ConditionLabel = { field: string; operator: string; value: string }

/** A chip has space for this many names; beyond that it shows their number. */
const MOST_NAMES = 2

/** The chip label of a condition. */
export function conditionLabel(leaf: RuleLeaf, variables: Variables, nameOf: NameOf): ConditionLabel {
  const words = describeLeaf(leaf, variables, nameOf)
  const { value } = leaf
  if (Array.isArray(value) && value.length > MOST_NAMES) return { ...words, value: String(value.length) }
  if (typeof value === 'object' && value !== null && 'daysAgo' in value && value.daysAgo > 1) {
    return { ...words, ...daysWords(leaf, value.daysAgo, variables) }
  }
  if (words.value !== '') return words
  // "Address is empty": the last word is the value.
  const at = words.operator.lastIndexOf(' ')
  return { ...words, operator: words.operator.slice(0, at), value: words.operator.slice(at + 1) }
}

function daysWords(leaf: RuleLeaf, days: number, variables: Variables): Partial<ConditionLabel> {
  const variable = variables[leaf.field]
  if (variable === undefined) return {}
  const { comparison } = draftOf(leaf, variable)
  const [operator = ''] = comparisonLabel(comparison, variable.kind).split(' ...')
  return { operator, value: `${days} ${daysSuffix(comparison)}` }
}
