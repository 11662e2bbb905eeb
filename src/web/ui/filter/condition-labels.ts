import { describeLeaf, type NameOf } from '#contract/expressions/describe.ts'
import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { behindDays, draftOf, wayWords } from './condition.ts'

/** "Days", "is over", "45". The value is what counts, and never empty. */
export type Words = { field: string; operator: string; value: string }

/** More names than this do not fit on a chip: their number does. */
const MOST_NAMES = 2

/** A condition in the words of its chip. */
export function wordsOf(leaf: RuleLeaf, variables: Variables, nameOf: NameOf): Words {
  const words = describeLeaf(leaf, variables, nameOf)
  const { value } = leaf
  if (Array.isArray(value) && value.length > MOST_NAMES) return { ...words, value: String(value.length) }
  if (typeof value === 'object' && value !== null && 'daysAgo' in value && value.daysAgo > 1) {
    return { ...words, ...daysWords(leaf, value.daysAgo, variables) }
  }
  if (words.value !== '') return words
  // "Address is missing": the last word is the value.
  const at = words.operator.lastIndexOf(' ')
  return { ...words, operator: words.operator.slice(0, at), value: words.operator.slice(at + 1) }
}

function daysWords(leaf: RuleLeaf, days: number, variables: Variables): Partial<Words> {
  const variable = variables[leaf.field]
  if (variable === undefined) return {}
  const { way } = draftOf(leaf, variable)
  const [operator = ''] = wayWords(way, variable.kind).split(' ...')
  return { operator, value: `${days} ${behindDays(way)}` }
}
