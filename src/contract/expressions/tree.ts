import type { FieldKind } from '../lists/list.ts'
import type { Variables } from './variables.ts'

/** A condition that was read and checked: every name is declared and every comparison makes sense. */
export type Rule = Readonly<{
  /** As written. */
  text: string
  tree: Condition
  /** What it was checked against. */
  variables: Variables
}>

/** What two sides are compared as. `day`: days, or moments cut to their day in a time zone. */
export type Kind = 'number' | 'text' | 'choice' | 'reference' | 'day' | 'moment'

/** `!=` is a `not` around `==`, so that both say the same of what is missing. */
export type Sign = '==' | '<' | '<=' | '>' | '>='

export type TextTest = 'contains' | 'startsWith' | 'endsWith'

/** What is true or false of a row, and never unknown. */
export type Condition =
  /** At least two parts, none of them of the same operation. */
  | Readonly<{ op: 'and' | 'or'; parts: readonly Condition[] }>
  /** Never around another `not`. */
  | Readonly<{ op: 'not'; part: Condition }>
  | Readonly<{ op: 'constant'; holds: boolean }>
  /** Off when it is missing. */
  | Readonly<{ op: 'flag'; field: string }>
  | Readonly<{ op: 'choose'; when: Condition; yes: Condition; no: Condition }>
  | Readonly<{ op: 'same'; left: Condition; right: Condition }>
  | Readonly<{ op: 'missing'; of: Value }>
  /** A constant stands on the right, unless both sides are. */
  | Readonly<{ op: 'compare'; as: Kind; sign: Sign; left: Value; right: Value }>
  | Readonly<{ op: 'in'; as: Kind; value: Value; list: readonly Value[] }>
  /** Whether a list, which is a field, has a value. */
  | Readonly<{ op: 'has'; field: string; as: 'text' | 'reference'; value: Value }>
  | Readonly<{ op: TextTest; text: Value; part: Value }>

/** What is compared. It may be missing. */
export type Value =
  | Readonly<{ op: 'field'; field: string; kind: FieldKind }>
  /** Plain digits without zeros in front or at the end. */
  | Readonly<{ op: 'number'; digits: string }>
  /** Text as written; the declared value of a choice; the number of a record. */
  | Readonly<{ op: 'text'; text: string }>
  /** `2026-03-01`. */
  | Readonly<{ op: 'day'; day: string }>
  /** `2026-03-01T10:00:00.000Z`. */
  | Readonly<{ op: 'moment'; moment: string }>
  | Readonly<{ op: 'daysAgo'; days: number }>
  | Readonly<{ op: 'now' }>
  | Readonly<{ op: 'minus'; of: Value }>
  | Readonly<{ op: 'sum'; sign: '+' | '-' | '*' | '/'; left: Value; right: Value }>
  | Readonly<{ op: 'size'; of: Value }>
  | Readonly<{ op: 'choose'; when: Condition; yes: Value; no: Value }>

/** Whether two rules mean the same by being built the same. */
export function sameTree(one: Condition, other: Condition): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
