import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { readCondition, usesTimeZone } from '#contract/pricing/rules/rule-conditions.ts'
import { clock } from '#server/clock.ts'
import { ruleToSql } from '#server/lists/rule-sql.ts'
import type { LotZones } from '#server/customers/index.ts'
import { daysInStockOn } from './vehicle-json.ts'
import { vehicleSource } from './vehicles.ts'

/** The error message for an invalid rule, otherwise null. */
export function ruleProblem(rule: string): string | null {
  if (rule === '') return null
  const read = readCondition(rule)
  return read.ok
    ? null
    : `The filter has an error at character ${read.problem.from + 1}: ${read.problem.message}`
}

/**
 * SQL condition for a rule at `now`, over `vehicles v` with `lots l`. Days are counted by the clock of each vehicle's lot. A rule that is
 * no longer valid selects no vehicles.
 */
export function ruleSql(rule: string, zones: LotZones, now = clock.date()): RawBuilder<SqlBool> {
  if (rule === '') return sql<SqlBool>`true`
  if (typeof zones === 'string') return ruleInZone(rule, zones, now)
  const [[first] = ['UTC'], ...others] = zones
  if (others.length === 0 || !usesTimeZone(rule)) return ruleInZone(rule, first, now)
  const parts = [...zones].map(
    ([zone, lotIds]) => sql`(v.lot_id = any(${[...lotIds]}::bigint[]) and ${ruleInZone(rule, zone, now)})`,
  )
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`
}

function ruleInZone(rule: string, zone: string, now: Date): RawBuilder<SqlBool> {
  const read = readCondition(rule)
  return read.ok
    ? sql<SqlBool>`coalesce(${ruleToSql(read.rule, { ...vehicleSource.fields, daysInStock: daysInStockIn(zone) }, { now, zone })}, false)`
    : sql<SqlBool>`false`
}

/** Lists count days by the calendar of the user (decision 80), rules by that of the lot. */
const daysInStockIn = (zone: string) => ({ value: daysInStockOn(sql`(select today(${zone}))`) })
