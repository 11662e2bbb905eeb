import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { foldCase } from '#contract/expressions/fold-case.ts'
import type { Condition, Rule, TextTest, Value } from '#contract/expressions/tree.ts'
import type { FieldSql } from './list-source.ts'
import { typeOf } from '#contract/expressions/value-type.ts'
import { compareNumbers, numberIn, numeric } from './rule-numbers.ts'
import type { RuleScope } from './rule-scope.ts'
import { compareDays, compareMoments, daySql, momentSql } from './rule-times.ts'

/**
 * A rule as SQL, for the rows where `evaluateRule` returns true. It may yield null instead of false, which `where` treats
 * the same, because only plain column comparisons can use an index. `now` is the current time and `zone` the time zone of
 * the rule.
 */
export function ruleToSql(
  rule: Rule,
  fields: Readonly<Record<string, FieldSql>>,
  { now, zone }: { now: Date; zone: string },
): RawBuilder<SqlBool> {
  const fieldSql = (name: string): FieldSql => {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (known === undefined) throw new Error(`A rule uses ${name}, which has no SQL.`)
    return known
  }
  const scope: RuleScope = {
    field: (name) => sql`(${fieldSql(name).value})`,
    choice: (name, value) => fieldSql(name).choices?.[value],
    condition: (part) => conditionSql(part, scope),
    text: (value) => textSql(value, scope),
    now,
    zone,
  }
  return scope.condition(rule.tree)
}

function conditionSql(tree: Condition, rule: RuleScope): RawBuilder<SqlBool> {
  switch (tree.op) {
    case 'and':
      return sql`(${sql.join(tree.parts.map(rule.condition), sql` and `)})`
    case 'or':
      return sql`(${sql.join(tree.parts.map(rule.condition), sql` or `)})`
    case 'not':
      // Back to two-valued logic: a comparison with a missing value is false, so its negation is true.
      return sql`(${rule.condition(tree.part)} is not true)`
    case 'constant':
      return tree.holds ? sql`true` : sql`false`
    case 'flag':
      return sql`${rule.field(tree.field)}`
    case 'choose':
      return sql`(case when ${rule.condition(tree.when)} then ${rule.condition(tree.yes)} else ${rule.condition(tree.no)} end)`
    case 'same':
      return sql`((${rule.condition(tree.left)} is true) = (${rule.condition(tree.right)} is true))`
    case 'missing':
      return missingSql(tree.of, rule)
    case 'compare':
      return compareSql(tree, rule)
    case 'in':
      return inSql(tree, rule)
    case 'has':
      return hasSql(tree, rule)
    default:
      return testSql(tree.op, foldedSql(tree.text, rule), foldedSql(tree.part, rule))
  }
}

function missingSql(of: Value, rule: RuleScope): RawBuilder<SqlBool> {
  if (of.op === 'field') {
    const isList = of.kind === 'texts' || of.kind === 'references'
    const column = rule.field(of.field)
    return isList ? sql`(coalesce(cardinality(${column}), 0) = 0)` : sql`(${column} is null)`
  }
  return sql`(${valueSql(of, rule)} is null)`
}

function valueSql(value: Value, rule: RuleScope): RawBuilder<unknown> {
  switch (typeOf(value)) {
    case 'number':
      return numeric(value, rule)
    case 'day':
      return daySql(value, rule)
    case 'moment':
      return momentSql(value, rule)
    default:
      return textSql(value, rule)
  }
}

function compareSql(tree: Extract<Condition, { op: 'compare' }>, rule: RuleScope): RawBuilder<SqlBool> {
  const { as, sign, left, right } = tree
  switch (as) {
    case 'number':
      return compareNumbers(sign, left, right, rule)
    case 'day':
      return compareDays(sign, left, right, rule)
    case 'moment':
      return compareMoments(sign, left, right, rule)
    case 'text':
      return sql`(${foldedSql(left, rule)} = ${foldedSql(right, rule)})`
    case 'choice':
      return choiceSql(left, right, rule) ?? sql`(${textSql(left, rule)} = ${textSql(right, rule)})`
    default:
      return sql`(${referenceSql(left, rule)} = ${referenceSql(right, rule)})`
  }
}

function inSql({ as, value, list }: Extract<Condition, { op: 'in' }>, rule: RuleScope): RawBuilder<SqlBool> {
  if (as === 'number') return numberIn(value, list, rule)
  const texts = list.flatMap((item) => (item.op === 'text' ? item.text : []))
  if (as === 'reference') return sql`(${referenceSql(value, rule)} = any(${texts}::bigint[]))`
  if (as === 'choice')
    return choicesSql(value, texts, rule) ?? sql`(${textSql(value, rule)} = any(${texts}::text[]))`
  return sql`(${foldedSql(value, rule)} = any(${texts.map(foldCase)}::text[]))`
}

/** A comparison of a field with one of its values by the field's own condition, if it has one. */
function choiceSql(left: Value, right: Value, rule: RuleScope): RawBuilder<SqlBool> | undefined {
  return left.op === 'field' && right.op === 'text' ? rule.choice(left.field, right.text) : undefined
}

function choicesSql(
  value: Value,
  texts: readonly string[],
  rule: RuleScope,
): RawBuilder<SqlBool> | undefined {
  if (value.op !== 'field' || texts.length === 0) return undefined
  const conditions = texts.flatMap((text) => rule.choice(value.field, text) ?? [])
  return conditions.length === texts.length ? sql`(${sql.join(conditions, sql` or `)})` : undefined
}

function hasSql(
  { field, as, value }: Extract<Condition, { op: 'has' }>,
  rule: RuleScope,
): RawBuilder<SqlBool> {
  const list = rule.field(field)
  if (as === 'reference') return sql`(${referenceSql(value, rule)} = any(${list}))`
  return sql`(exists (select from unnest(${list}) listed(listed_value) where fold_case(listed_value) = ${foldedSql(value, rule)}))`
}

/** Uses strpos instead of LIKE, so that % and _ are literal. */
function testSql(op: TextTest, text: RawBuilder<unknown>, part: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (op === 'contains') return sql`(strpos(${text}, ${part}) > 0)`
  if (op === 'startsWith') return sql`starts_with(${text}, ${part})`
  return sql`(right(${text}, char_length(${part})) = ${part})`
}

function foldedSql(value: Value, rule: RuleScope): RawBuilder<unknown> {
  return value.op === 'text' ? sql`${foldCase(value.text)}::text` : sql`fold_case(${textSql(value, rule)})`
}

function textSql(value: Value, rule: RuleScope): RawBuilder<unknown> {
  if (value.op === 'text') return sql`${value.text}::text`
  if (value.op === 'field') return rule.field(value.field)
  if (value.op !== 'choose') throw new Error(`A rule uses ${value.op} as text.`)
  return sql`(case when ${rule.condition(value.when)} then ${textSql(value.yes, rule)} else ${textSql(value.no, rule)} end)`
}

function referenceSql(value: Value, rule: RuleScope): RawBuilder<unknown> {
  return value.op === 'text' ? sql`${value.text}::bigint` : textSql(value, rule)
}
