import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { readCondition } from '#contract/pricing/rules/rule-conditions.ts'
import { clock } from '#server/clock.ts'
import { ruleToSql } from '#server/lists/rule-sql.ts'
import { vehicleSource } from './vehicles.ts'

/** The error message for an invalid rule, otherwise null. */
export function ruleProblem(rule: string): string | null {
  if (rule === '') return null
  const read = readCondition(rule)
  return read.ok
    ? null
    : `The filter has an error at character ${read.problem.from + 1}: ${read.problem.message}`
}

/** SQL condition for a rule at `now`, over `vehicles v` with `lots l`. A rule that is no longer valid selects no vehicles. */
export function ruleSql(rule: string, zone: string, now = clock.date()): RawBuilder<SqlBool> {
  if (rule === '') return sql<SqlBool>`true`
  const read = readCondition(rule)
  return read.ok
    ? sql<SqlBool>`coalesce(${ruleToSql(read.rule, vehicleSource.fields, { now, zone })}, false)`
    : sql<SqlBool>`false`
}
