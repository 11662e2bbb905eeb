import { describeLeaf, type NameOf } from '#contract/expressions/describe.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { useNames } from './references.ts'
import { partsOf, referredBy } from './rule-parts.ts'

type Props = {
  filter: string
  variables: Variables
  /** Shown for a rule without conditions. */
  empty: string
}

/** A rule as a reader says it, with the rule as written in its tooltip: "Make is Ford, Condition is Used". */
export function RuleSummary({ filter, variables, empty }: Props) {
  const nameOf = useNames(referredBy(partsOf(filter, variables), variables))
  return <bdi title={filter}>{summarizeRule(filter, variables, nameOf) || empty}</bdi>
}

/** The conditions of a rule in words; parts that aren't simple conditions as written. '' without conditions. */
export function summarizeRule(filter: string, variables: Variables, nameOf: NameOf): string {
  return partsOf(filter, variables)
    .map(({ text, leaf }) => {
      if (leaf === null) return text
      const { field, operator, value } = describeLeaf(leaf, variables, nameOf)
      return [field, operator, value].filter((word) => word !== '').join(' ')
    })
    .join(', ')
}
