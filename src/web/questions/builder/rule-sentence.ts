import { describeLeaf } from '#contract/expressions/describe.ts'
import { readRule } from '#contract/expressions/read.ts'
import { type RuleGroup, toRules } from '#contract/expressions/rules.ts'
import type { Variables } from '#contract/expressions/variables.ts'

/** A rule in words: "Refrigerants refilled includes R-134a or Solar panels is yes". Null if only its text can say it. */
export function ruleSentence(rule: string, variables: Variables): string | null {
  const read = readRule(rule, variables)
  const group = read.ok ? toRules(read.rule) : null
  return group === null ? null : groupWords(group, variables)
}

function groupWords({ all, not, rules }: RuleGroup, variables: Variables): string {
  const parts = rules.map((one) => {
    if ('rules' in one) return `(${groupWords(one, variables)})`
    const { field, operator, value } = describeLeaf(one, variables, () => null)
    return [`“${field}”`, operator, value].filter((word) => word !== '').join(' ')
  })
  const words = parts.join(all ? ' and ' : ' or ')
  return not ? `not (${words})` : words
}
