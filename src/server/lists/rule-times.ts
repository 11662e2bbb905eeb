import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { readDay, readMoment, writeDay } from '#contract/expressions/days.ts'
import { typeOf } from '#contract/expressions/value-type.ts'
import type { Sign, Value } from '#contract/expressions/tree.ts'
import { dayIn, startOfDayIn } from '#contract/today.ts'
import { SIGNS, type RuleScope } from './rule-scope.ts'

/**
 * Compares days, or timestamps truncated to their day in the rule's zone. A timestamp column is compared with a range, so
 * that an index is used.
 */
export function compareDays(sign: Sign, left: Value, right: Value, rule: RuleScope): RawBuilder<SqlBool> {
  const day = constantDay(right, rule)
  if (day === null) return sql`(${daySql(left, rule)} ${SIGNS[sign]} ${daySql(right, rule)})`
  if (typeOf(left) === 'moment' && left.op === 'field') {
    return inSpan(
      sign,
      rule.field(left.field),
      startOfDayIn(rule.zone, day),
      startOfDayIn(rule.zone, day + 1),
    )
  }
  return sql`(${daySql(left, rule)} ${SIGNS[sign]} ${inYears(writeDay(day))}::date)`
}

/** Compares to the millisecond, which is the precision of `evaluateRule`. */
export function compareMoments(sign: Sign, left: Value, right: Value, rule: RuleScope): RawBuilder<SqlBool> {
  const moment = constantMoment(right, rule)
  if (moment !== null && left.op === 'field') {
    return inSpan(sign, rule.field(left.field), moment, moment + 1)
  }
  const cut = (value: Value) => sql`date_trunc('milliseconds', ${momentSql(value, rule)})`
  return sql`(${cut(left)} ${SIGNS[sign]} ${cut(right)})`
}

function inSpan(sign: Sign, column: RawBuilder<unknown>, start: number, end: number): RawBuilder<SqlBool> {
  const from = instant(start)
  const to = instant(end)
  switch (sign) {
    case '==':
      return sql`(${column} >= ${from} and ${column} < ${to})`
    case '<':
      return sql`(${column} < ${from})`
    case '<=':
      return sql`(${column} < ${to})`
    case '>':
      return sql`(${column} >= ${to})`
    default:
      return sql`(${column} >= ${from})`
  }
}

function instant(milliseconds: number): RawBuilder<unknown> {
  return sql`${inYears(new Date(milliseconds).toISOString())}::timestamptz`
}

/**
 * Rules use the years 1 to 9999. Where a time zone crosses that range, ISO text has the years 0000 and +010000, which
 * PostgreSQL writes as 0001 BC and 10000.
 */
function inYears(iso: string): string {
  const [year = '', ...rest] = iso.split(/(?<=^[+-]?\d+)(?=-)/)
  return Number(year) > 0 ? `${Number(year)}`.padStart(4, '0') + rest.join('') : `0001${rest.join('')} BC`
}

function constantDay(value: Value, rule: RuleScope): number | null {
  if (value.op === 'day') return readDay(value.day)
  if (value.op === 'daysAgo') return dayIn(rule.zone, rule.now.getTime()) - value.days
  const moment = constantMoment(value, rule)
  return moment === null ? null : dayIn(rule.zone, moment)
}

function constantMoment(value: Value, rule: RuleScope): number | null {
  if (value.op === 'moment') return readMoment(value.moment)
  return value.op === 'now' ? rule.now.getTime() : null
}

/** As `date`. */
export function daySql(value: Value, rule: RuleScope): RawBuilder<unknown> {
  const day = constantDay(value, rule)
  if (day !== null) return sql`${inYears(writeDay(day))}::date`
  if (typeOf(value) === 'moment') return sql`(${momentSql(value, rule)} at time zone ${rule.zone})::date`
  return fieldOrChoice(value, rule, daySql)
}

/** As `timestamptz`. */
export function momentSql(value: Value, rule: RuleScope): RawBuilder<unknown> {
  const moment = constantMoment(value, rule)
  return moment === null ? fieldOrChoice(value, rule, momentSql) : instant(moment)
}

function fieldOrChoice(
  value: Value,
  rule: RuleScope,
  part: (value: Value, rule: RuleScope) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (value.op === 'field') return rule.field(value.field)
  if (value.op !== 'choose') throw new Error(`A rule uses ${value.op} as a time.`)
  return sql`(case when ${rule.condition(value.when)} then ${part(value.yes, rule)} else ${part(value.no, rule)} end)`
}
