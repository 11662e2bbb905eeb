import { readDay, readMoment } from '#contract/expressions/days.ts'
import type { LeafValue, RuleLeaf } from '#contract/expressions/leaf.ts'
import { OPERATORS, type Operator, operatorWords } from '#contract/expressions/operators.ts'
import type { Variable, Variables } from '#contract/expressions/variables.ts'
import type { FieldKind } from '#contract/lists/list.ts'

/** Comparisons with a day counted back from today, each with its operator. */
const AGO = {
  agoSince: { operator: '>=', label: 'is in the last', suffix: 'days' },
  agoBefore: { operator: '<', label: 'is more than', suffix: 'days ago' },
  agoUntil: { operator: '<=', label: 'is at least', suffix: 'days ago' },
  agoAfter: { operator: '>', label: 'is less than', suffix: 'days ago' },
  agoIs: { operator: '==', label: 'is', suffix: 'days ago' },
  agoIsNot: { operator: '!=', label: 'is not', suffix: 'days ago' },
} as const satisfies Record<string, { operator: Operator; label: string; suffix: string }>
type Ago = keyof typeof AGO

/** A comparison in a form: the operators of the language, and "in the last ... days". */
export type Comparison = Operator | Ago

/** A condition being edited. `values` are the contents of its controls and may be incomplete. */
export type Draft = Readonly<{ field: string; comparison: Comparison; values: readonly string[] }>

/** The type of value input. `many`: several texts; `choices`: several options; `choice`: one option. */
export type Control = 'none' | 'text' | 'many' | 'number' | 'days' | 'date' | 'moment' | 'choices' | 'choice'

const NUMBERS: readonly FieldKind[] = ['integer', 'decimal', 'money']
const TIMES: readonly FieldKind[] = ['date', 'moment']
const CHOSEN: readonly FieldKind[] = ['choice', 'reference']

function isAgo(comparison: Comparison): comparison is Ago {
  return Object.hasOwn(AGO, comparison)
}

/** Parses a comparison; null if it isn't one for this field. */
export function parseComparison(text: string, variable: Variable): Comparison | null {
  return [...allComparisons(variable), ...AGO_COMPARISONS].find((comparison) => comparison === text) ?? null
}
const AGO_COMPARISONS: readonly Ago[] = ['agoSince', 'agoBefore', 'agoUntil', 'agoAfter', 'agoIs', 'agoIsNot']

function allComparisons({ kind }: Variable): readonly Comparison[] {
  return kind === 'text' ? [...OPERATORS.text, 'startsNotWith', 'endsNotWith'] : OPERATORS[kind]
}

/**
 * The comparisons offered for a field, with labels. Options are checkboxes ("is any of"), so "is" is left out
 * there. The comparison that a rule already uses is always included.
 */
export function operatorsFor(
  variable: Variable,
  current: Comparison,
): { value: Comparison; label: string }[] {
  const { kind } = variable
  const operators = OPERATORS[kind].filter(
    (comparison) => !CHOSEN.includes(kind) || (comparison !== '==' && comparison !== '!='),
  )
  const offered: Comparison[] = TIMES.includes(kind)
    ? ['agoSince', 'agoBefore', ...operators]
    : [...operators]
  if (!offered.includes(current)) offered.push(current)
  return offered.map((value) => ({ value, label: comparisonLabel(value, kind) }))
}

/** "is over", "is in the last ... days". */
export function comparisonLabel(comparison: Comparison, kind: FieldKind): string {
  return isAgo(comparison)
    ? `${AGO[comparison].label} ... ${AGO[comparison].suffix}`
    : operatorWords(comparison, kind)
}

/** The text after the number of days: "days ago". */
export function daysSuffix(comparison: Comparison): string {
  return isAgo(comparison) ? AGO[comparison].suffix : ''
}

/** A new condition on this field, without a value. */
export function newDraft(field: string, variable: Variable): Draft {
  return { field, comparison: firstComparison(variable), values: [] }
}

function firstComparison({ kind }: Variable): Comparison {
  if (TIMES.includes(kind)) return 'agoSince'
  return CHOSEN.includes(kind) ? 'in' : (OPERATORS[kind][0] ?? 'there')
}

/** A condition of a rule, as form values. */
export function draftOf({ field, operator, value }: RuleLeaf, variable: Variable): Draft {
  if (typeof value === 'object' && value !== null && 'daysAgo' in value) {
    const comparison = AGO_COMPARISONS.find((ago) => AGO[ago].operator === operator) ?? operator
    return { field, comparison, values: [String(value.daysAgo)] }
  }
  const values = typeof value === 'string' ? [value] : (value ?? [])
  if (!CHOSEN.includes(variable.kind)) return { field, comparison: operator, values }
  const ticked: Partial<Record<Operator, Comparison>> = { '==': 'in', '!=': 'notIn' }
  return { field, comparison: ticked[operator] ?? operator, values }
}

/** The type of value input for a draft. */
export function controlOf({ kind }: Variable, { comparison, values }: Draft): Control {
  if (isAgo(comparison)) return 'days'
  if (comparison === 'missing' || comparison === 'there' || comparison === 'yes' || comparison === 'no')
    return 'none'
  if (CHOSEN.includes(kind)) return 'choices'
  if (kind === 'references') return 'choice'
  if (NUMBERS.includes(kind)) return 'number'
  if (TIMES.includes(kind)) return (values[0] ?? '').includes('T') ? 'moment' : 'date'
  return comparison === 'in' || comparison === 'notIn' ? 'many' : 'text'
}

/** The values that are still valid after the comparison changed. */
export function compatibleValues(draft: Draft, variable: Variable): readonly string[] {
  const { values } = draft
  switch (controlOf(variable, draft)) {
    case 'none':
      return []
    case 'days':
      return values.filter((value) => readDay(value) === null && readMoment(value) === null)
    case 'date':
      return values.filter((value) => readDay(value) !== null)
    case 'many':
      return values.filter((value) => value !== '')
    case 'text':
    case 'number':
    case 'choice':
      return values.slice(0, 1)
    default:
      return values
  }
}

/** The draft as a condition, or an error message that says what is missing. */
export function leafOf(draft: Draft, variables: Variables): RuleLeaf | string {
  const { field, comparison } = draft
  const variable = Object.hasOwn(variables, field) ? variables[field] : undefined
  if (variable === undefined) return `Unknown field ${field}.`
  const operator = isAgo(comparison) ? AGO[comparison].operator : comparison
  const value = readValue(draft, variable)
  if (value === undefined) return `${variable.title}: ${WANTED[controlOf(variable, draft)]}`
  return { field, operator: typeof value === 'string' ? singleOf(operator) : operator, value }
}

const WANTED: Record<Control, string> = {
  none: 'choose a comparison.',
  text: 'enter text.',
  many: 'enter at least one.',
  number: 'enter a number.',
  days: 'enter a number of days.',
  date: 'enter a date.',
  moment: 'enter a date and time such as 2026-03-01T10:00:00Z.',
  choices: 'choose at least one.',
  choice: 'choose one.',
}

/** The input as a value of the language; undefined if it is missing or invalid. */
function readValue(draft: Draft, variable: Variable): LeafValue | undefined {
  const { values } = draft
  const [first = ''] = values
  switch (controlOf(variable, draft)) {
    case 'none':
      return null
    case 'number':
      return readNumber(first)
    case 'days':
      return /^-?\d{1,5}$/.test(first.trim()) ? { daysAgo: Number(first) } : undefined
    case 'date':
      return readDay(first) === null ? undefined : first
    case 'moment':
      return readMoment(first) === null ? undefined : first
    case 'choices':
    case 'many':
      return values.length > 1 ? values : values[0]
    default:
      return first.trim() === '' ? undefined : first
  }
}

/** "is any of" with a single value is "is". */
function singleOf(operator: Operator): Operator {
  if (operator === 'in') return '=='
  return operator === 'notIn' ? '!=' : operator
}

/** Normalizes a typed number ("29,745.50") to the digits of the language. */
function readNumber(text: string): string | undefined {
  const match = /^([-\u2212]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$/.exec(text.trim())
  if (!match) return undefined
  const [, minus = '', whole = '', places = ''] = match
  return `${minus === '' ? '' : '-'}${whole.replaceAll(',', '')}${places}`
}
