import type { FieldKind } from '../lists/list.ts'

/** How a condition compares a field. */
export type Operator =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'notIn'
  | 'contains'
  | 'containsNot'
  | 'startsWith'
  | 'startsNotWith'
  | 'endsWith'
  | 'endsNotWith'
  | 'has'
  | 'hasNot'
  | 'missing'
  | 'there'
  | 'yes'
  | 'no'

const ONE_OF = ['==', '!=', 'in', 'notIn', 'missing', 'there'] as const
const ORDERED = ['==', '!=', '<', '<=', '>', '>=', 'missing', 'there'] as const
const MANY = ['has', 'hasNot', 'missing', 'there'] as const

/** The operators of each kind of field, in the order users expect. */
export const OPERATORS: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: ['contains', 'containsNot', '==', '!=', 'startsWith', 'endsWith', 'in', 'notIn', 'missing', 'there'],
  texts: MANY,
  choice: ONE_OF,
  reference: ONE_OF,
  references: MANY,
  integer: ORDERED,
  decimal: ORDERED,
  money: ORDERED,
  date: ORDERED,
  moment: ORDERED,
  flag: ['yes', 'no'],
}

const WORDS: Record<Operator, string> = {
  '==': 'is',
  '!=': 'is not',
  '<': 'is under',
  '<=': 'is at most',
  '>': 'is over',
  '>=': 'is at least',
  in: 'is any of',
  notIn: 'is none of',
  contains: 'contains',
  containsNot: 'does not contain',
  startsWith: 'starts with',
  startsNotWith: 'does not start with',
  endsWith: 'ends with',
  endsNotWith: 'does not end with',
  has: 'has',
  hasNot: 'does not have',
  missing: 'is empty',
  there: 'is not empty',
  yes: 'is yes',
  no: 'is no',
}

const TIMES: Partial<Record<Operator, string>> = {
  '==': 'is on',
  '!=': 'is not on',
  '<': 'is before',
  '<=': 'is on or before',
  '>': 'is after',
  '>=': 'is on or after',
}

/** The label of an operator, shown after the title of a field. */
export function operatorWords(operator: Operator, kind: FieldKind): string {
  const isTime = kind === 'date' || kind === 'moment'
  return (isTime ? TIMES[operator] : undefined) ?? WORDS[operator]
}
