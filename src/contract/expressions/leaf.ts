import type { FieldKind } from '../lists/list.ts'
import type { Operator } from './operators.ts'
import type { Condition, Value } from './tree.ts'

/**
 * The value a field is compared with. Text as is; a choice by its value, a record by its ID; a number in plain
 * digits, money in currency units; a date as `2026-03-01`; an instant as `2026-03-01T10:00:00Z`. Null for operators
 * without a value.
 */
export type LeafValue = string | readonly string[] | Readonly<{ daysAgo: number }> | null

/** One condition of a rule: "Days in stock is over 45". */
export type RuleLeaf = { field: string; operator: Operator; value: LeafValue }

const OPPOSITES: Partial<Record<Operator, Operator>> = {
  '==': '!=',
  in: 'notIn',
  contains: 'containsNot',
  startsWith: 'startsNotWith',
  endsWith: 'endsNotWith',
  has: 'hasNot',
  missing: 'there',
  yes: 'no',
}
export const POSITIVES = new Map(
  Object.entries(OPPOSITES).map(([positive, negative]) => [negative, positive]),
)

/** A condition as a leaf; null if a leaf can't express it. */
export function leafOf(condition: Condition): RuleLeaf | null {
  if (condition.op !== 'not') return plainLeaf(condition)
  const row = plainLeaf(condition.part)
  const operator = row === null ? undefined : OPPOSITES[row.operator]
  return row === null || operator === undefined ? null : { ...row, operator }
}

function plainLeaf(condition: Condition): RuleLeaf | null {
  switch (condition.op) {
    case 'flag':
      return { field: condition.field, operator: 'yes', value: null }
    case 'missing':
      return leaf(condition.of, 'missing', null)
    case 'compare':
      return leaf(condition.left, condition.sign, valueOf(condition.right))
    case 'in': {
      const values = condition.list.map(valueOf).filter((value) => typeof value === 'string')
      return values.length === condition.list.length ? leaf(condition.value, 'in', values) : null
    }
    case 'has': {
      const value = valueOf(condition.value)
      return value === undefined ? null : { field: condition.field, operator: 'has', value }
    }
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return leaf(condition.text, condition.op, valueOf(condition.part))
    default:
      return null
  }
}

function leaf(of: Value, operator: Operator, value: LeafValue | undefined): RuleLeaf | null {
  return of.op === 'field' && value !== undefined ? { field: of.field, operator, value } : null
}

function valueOf(value: Value): LeafValue | undefined {
  switch (value.op) {
    case 'number':
      return value.digits
    case 'text':
      return value.text
    case 'day':
      return value.day
    case 'moment':
      return value.moment
    case 'daysAgo':
      return { daysAgo: value.days }
    default:
      return undefined
  }
}

/**
 * Writes a leaf as rule text. An invalid value is written as text in quotes, so that reading it reports the error.
 */
export function writeLeaf({ field, operator, value }: RuleLeaf, kind: FieldKind | undefined): string {
  const positive = POSITIVES.get(operator)
  switch (operator) {
    case 'missing':
      return `${field} == null`
    case 'there':
      return `${field} != null`
    case 'yes':
      return field
    case 'no':
      return `!${field}`
    case 'in':
      return `${field} in ${writeList(value, kind)}`
    case 'notIn':
      return `!(${field} in ${writeList(value, kind)})`
    case 'has':
      return `${writeValue(value, kind)} in ${field}`
    case 'hasNot':
      return `!(${writeValue(value, kind)} in ${field})`
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return `${field}.${operator}(${writeValue(value, kind)})`
    case 'containsNot':
    case 'startsNotWith':
    case 'endsNotWith':
      return `!${field}.${positive ?? operator}(${writeValue(value, kind)})`
    default:
      return `${field} ${operator} ${writeValue(value, kind)}`
  }
}

function writeList(value: LeafValue, kind: FieldKind | undefined): string {
  const values = Array.isArray(value) ? value : [value]
  return `[${values.map((one) => writeValue(one, kind)).join(', ')}]`
}

function writeValue(value: LeafValue, kind: FieldKind | undefined): string {
  if (value === null) return '""'
  if (typeof value === 'object') {
    if (!('daysAgo' in value)) return writeList(value, kind)
    return value.daysAgo === 0 ? 'today()' : `daysAgo(${value.daysAgo})`
  }
  const quoted = JSON.stringify(value)
  const isNumber = kind === 'integer' || kind === 'decimal' || kind === 'money'
  if (isNumber) return /^-?\d+(\.\d+)?$/.test(value) ? value : quoted
  if (kind !== 'date' && kind !== 'moment') return quoted
  return value.includes('T') ? `timestamp(${quoted})` : `date(${quoted})`
}
