import { type RawBuilder, sql } from 'kysely'
import { RULE_KINDS } from '#contract/pricing/rules/rule-kinds.ts'

/** SQL for the label of a kind of price rules: the name of a rule on costs for those who don't see costs. */
export const ruleKindLabel = (kind: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`case ${kind} ${sql.join(
    RULE_KINDS.map(({ value, label }) => sql`when ${sql.lit(value)} then ${sql.lit(label)}`),
    sql` `,
  )} else 'Price rule' end`

/** SQL for the name of a row of `pricing_rules`; of one on costs its kind, because users write amounts into names. */
export const coveredName = sql<string>`case when pricing_rules.is_on_costs
  then ${ruleKindLabel(sql`pricing_rules.kind`)} else pricing_rules.name end`
