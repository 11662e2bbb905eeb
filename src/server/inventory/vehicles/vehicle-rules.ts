import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { readRule } from '#contract/expressions/read.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import { VEHICLE_LIST } from '#contract/inventory/vehicles/vehicle-list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import { ruleToSql } from '#server/lists/rule-sql.ts'
import { vehicleSource } from './vehicles.ts'

const COST = can(Func.vehicleCost, Opr.list)
/** Without cost fields, because channel files are public and price rules are seen by users who may not see costs. */
const variables = variablesOf(VEHICLE_LIST, ({ func }) => func !== COST.func)

/** The error message for an invalid rule, otherwise null. */
export function ruleProblem(rule: string): string | null {
  if (rule === '') return null
  const read = readRule(rule, variables)
  return read.ok
    ? null
    : `The filter has an error at character ${read.problem.from + 1}: ${read.problem.message}`
}

/** SQL condition for a rule, over `vehicles v` with `lots l`. A rule that is no longer valid selects no vehicles. */
export function ruleSql(rule: string, zone: string): RawBuilder<SqlBool> {
  if (rule === '') return sql<SqlBool>`true`
  const read = readRule(rule, variables)
  return read.ok
    ? sql<SqlBool>`coalesce(${ruleToSql(read.rule, vehicleSource.fields, { now: clock.date(), zone })}, false)`
    : sql<SqlBool>`false`
}
