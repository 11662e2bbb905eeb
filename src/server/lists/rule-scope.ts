import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Condition, Sign, Value } from '#contract/expressions/tree.ts'

/** What the pieces of a rule are turned into SQL with. */
export type RuleScope = Readonly<{
  field: (name: string) => RawBuilder<unknown>
  condition: (condition: Condition) => RawBuilder<SqlBool>
  text: (value: Value) => RawBuilder<unknown>
  now: Date
  /** An IANA time zone: moments are compared with days by its clocks. */
  zone: string
}>

export const SIGNS: Readonly<Record<Sign, RawBuilder<unknown>>> = {
  '==': sql`=`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}
