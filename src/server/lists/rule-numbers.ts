import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { constantNumber } from '#contract/expressions/evaluate.ts'
import type { Exact } from '#contract/expressions/exact.ts'
import type { Sign, Value } from '#contract/expressions/tree.ts'
import { SIGNS, type RuleScope } from './rule-scope.ts'

/** An integer in SQL: an integer column or an amount in cents. The SQL value is the rule's value times `scale`. */
type Whole = Readonly<{ sql: RawBuilder<unknown>; scale: 1 | 100 }>

const MAX_BIGINT = 2n ** 63n - 1n

/** Compares integer columns directly with an integer, so that an index is used and nothing is rounded. */
export function compareNumbers(sign: Sign, left: Value, right: Value, rule: RuleScope): RawBuilder<SqlBool> {
  const constant = constantNumber(right)
  if (constant === null) return sql`false`
  const one = whole(left, rule)
  if (constant !== undefined && one !== null) {
    const edge = edgeOf(sign, constant.times(one.scale))
    if (edge === null) return sql`false`
    if (edge >= -MAX_BIGINT && edge <= MAX_BIGINT)
      return sql`(${one.sql} ${SIGNS[sign]} ${String(edge)}::bigint)`
  }
  const other = whole(right, rule)
  if (one !== null && other !== null && one.scale === other.scale) {
    return sql`(${one.sql} ${SIGNS[sign]} ${other.sql})`
  }
  return sql`(${numeric(left, rule)} ${SIGNS[sign]} ${numeric(right, rule)})`
}

/** `x > 2019.5` for an integer x is `x > 2019`. Null if no integer fits. */
function edgeOf(sign: Sign, limit: Exact): bigint | null {
  if (sign === '==') return limit.isInteger() ? BigInt(limit.toFixed()) : null
  const isDown = sign === '>' || sign === '<='
  return BigInt((isDown ? limit.floor() : limit.ceil()).toFixed())
}

export function numberIn(value: Value, list: readonly Value[], rule: RuleScope): RawBuilder<SqlBool> {
  const constants = list.flatMap((item) => constantNumber(item) ?? [])
  const one = whole(value, rule)
  if (one === null) {
    return sql`(${numeric(value, rule)} = any(${constants.map((item) => item.toFixed())}::numeric[]))`
  }
  const edges = constants.flatMap((item) => edgeOf('==', item.times(one.scale)) ?? [])
  return sql`(${one.sql} = any(${edges.map(String)}::bigint[]))`
}

function whole(value: Value, rule: RuleScope): Whole | null {
  if (value.op === 'size') return { sql: size(value.of, rule), scale: 1 }
  if (value.op !== 'field') return null
  if (value.kind === 'integer') return { sql: rule.field(value.field), scale: 1 }
  return value.kind === 'money' ? { sql: rule.field(value.field), scale: 100 } : null
}

function size(of: Value, rule: RuleScope): RawBuilder<unknown> {
  const isList = of.op === 'field' && (of.kind === 'texts' || of.kind === 'references')
  return isList ? sql`cardinality(${rule.field(of.field)})` : sql`char_length(${rule.text(of)})`
}

/** A number as `numeric`, exact. */
export function numeric(value: Value, rule: RuleScope): RawBuilder<unknown> {
  switch (value.op) {
    case 'number':
      return sql`${value.digits}::numeric`
    case 'minus':
      return sql`(- ${numeric(value.of, rule)})`
    case 'sum':
      return sum(value, rule)
    case 'choose':
      return sql`(case when ${rule.condition(value.when)} then ${numeric(value.yes, rule)} else ${numeric(value.no, rule)} end)`
    default: {
      const known = whole(value, rule)
      if (known?.scale === 100) return sql`(${known.sql}::numeric * 0.01)`
      if (known !== null) return sql`${known.sql}::numeric`
      if (value.op === 'field') return sql`${rule.field(value.field)}::numeric`
      throw new Error(`A rule uses ${value.op} as a number.`)
    }
  }
}

function sum(value: Extract<Value, { op: 'sum' }>, rule: RuleScope): RawBuilder<unknown> {
  const left = numeric(value.left, rule)
  const right = numeric(value.right, rule)
  if (value.sign !== '/') return sql`(${left} ${sql.raw(value.sign)} ${right})`
  // Like `quotient` in exact.ts: truncated after 20 decimal places. Division by 0 gives a missing value.
  return sql`(div(${left} * 1e20::numeric, nullif(${right}, 0)) * 1e-20::numeric)`
}
