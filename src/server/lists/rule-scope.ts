import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Condition, Sign, Value } from '#contract/expressions/tree.ts'

/** Functions and values for converting the parts of a rule to SQL. */
export type RuleScope = Readonly<{
  field: (name: string) => RawBuilder<unknown>
  /** The condition that selects the rows with a value of a choice field, if the field has one that an index can answer. */
  choice: (name: string, value: string) => RawBuilder<SqlBool> | undefined
  condition: (condition: Condition) => RawBuilder<SqlBool>
  text: (value: Value) => RawBuilder<unknown>
  now: Date
  /** The IANA time zone for comparing timestamps with days. */
  zone: string
}>

export const SIGNS: Readonly<Record<Sign, RawBuilder<unknown>>> = {
  '==': sql`=`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}
