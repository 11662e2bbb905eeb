import type { FieldKind } from '../lists/list.ts'
import type { Variables } from './variables.ts'

/** A parsed and checked condition: every name is declared and every comparison is valid. */
export type Rule = Readonly<{
  /** As written. */
  text: string
  tree: Condition
  /** The variables it was checked against. */
  variables: Variables
}>

/** The type of a comparison. `day`: dates, or instants truncated to their day in a time zone. */
export type Kind = 'number' | 'text' | 'choice' | 'reference' | 'day' | 'moment'

/** `!=` is a `not` around `==`, so that both treat missing values the same way. */
export type Sign = '==' | '<' | '<=' | '>' | '>='

export type TextTest = 'contains' | 'startsWith' | 'endsWith'

/** True or false for every row, never unknown. */
export type Condition =
  /** At least two parts, none with the same operator. */
  | Readonly<{ op: 'and' | 'or'; parts: readonly Condition[] }>
  /** Never around another `not`. */
  | Readonly<{ op: 'not'; part: Condition }>
  | Readonly<{ op: 'constant'; holds: boolean }>
  /** False if it is missing. */
  | Readonly<{ op: 'flag'; field: string }>
  | Readonly<{ op: 'choose'; when: Condition; yes: Condition; no: Condition }>
  | Readonly<{ op: 'same'; left: Condition; right: Condition }>
  | Readonly<{ op: 'missing'; of: Value }>
  /** A constant is on the right, unless both sides are constants. */
  | Readonly<{ op: 'compare'; as: Kind; sign: Sign; left: Value; right: Value }>
  | Readonly<{ op: 'in'; as: Kind; value: Value; list: readonly Value[] }>
  /** Whether a list field contains a value. */
  | Readonly<{ op: 'has'; field: string; as: 'text' | 'reference'; value: Value }>
  | Readonly<{ op: TextTest; text: Value; part: Value }>

/** A value to compare. It may be missing. */
export type Value =
  | Readonly<{ op: 'field'; field: string; kind: FieldKind }>
  /** Plain digits without leading or trailing zeros. */
  | Readonly<{ op: 'number'; digits: string }>
  /** Text as written; the declared value of a choice; the ID of a record. */
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

/** Whether two rules have the same structure. */
export function sameTree(one: Condition, other: Condition): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
