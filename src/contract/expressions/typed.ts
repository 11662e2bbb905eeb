import type { Referred } from '../lists/list.ts'
import type { Span } from './rule-error.ts'
import type { Condition, Value } from './tree.ts'
import type { Variable } from './variables.ts'

/** A node with its type. `field` if it is a plain field. */
export type Typed = Span & Readonly<{ field?: Field }> & Sense

export type Field = Readonly<{ name: string; variable: Variable }>

type Sense =
  | Readonly<{ type: 'condition'; condition: Condition }>
  | Readonly<{ type: ValueType; value: Value }>
  | Readonly<{ type: 'list'; items: readonly Typed[] }>
  | Readonly<{ type: 'null' }>

export type ValueType = 'number' | 'text' | 'day' | 'moment' | 'choice' | 'reference' | 'texts' | 'references'
export type TypedValue = Extract<Typed, { type: ValueType }>

const NAMES = {
  condition: 'yes or no',
  number: 'a number',
  text: 'text',
  day: 'a date',
  moment: 'a date and time',
  choice: 'a choice',
  reference: 'a reference',
  texts: 'a list of texts',
  references: 'a list of references',
  list: 'a list',
  null: 'null',
} as const satisfies Record<Typed['type'], string>

const ONE: Record<Referred, string> = {
  organizations: 'an organization',
  userTypes: 'a user type',
  lots: 'a lot',
  inventories: 'an inventory',
}
/** "a lot": what a reference refers to. */
export const referredNoun = (field: Field | undefined): string =>
  field?.variable.refersTo === undefined ? 'a record' : ONE[field.variable.refersTo]

export function nameOf({ type }: Pick<Typed, 'type'>): string {
  return NAMES[type]
}

/** "`price` is a number", "This is text". */
export function describeType(typed: Typed): string {
  return `${typed.field === undefined ? 'This' : `\`${typed.field.name}\``} is ${nameOf(typed)}`
}

/** What to compare it with, for the end of a sentence. */
export function expectedOperand({ type, field }: Typed): string {
  switch (type) {
    case 'choice':
      return `one of ${choicesOf(field)}`
    case 'reference':
      return `the ID of ${referredNoun(field)} in quotes, like "12"`
    case 'day':
      return 'a date, like date("2026-03-01") or daysAgo(30)'
    case 'moment':
      return 'a date and time, like timestamp("2026-03-01T10:00:00Z"), or a date, like daysAgo(30)'
    case 'text':
      return 'text in quotes'
    case 'condition':
      return 'true or false'
    default:
      return NAMES[type]
  }
}

/** `"new", "used"`. */
export function choicesOf(field: Field | undefined): string {
  return (field?.variable.choices ?? []).map(({ value }) => `"${value}"`).join(', ')
}
