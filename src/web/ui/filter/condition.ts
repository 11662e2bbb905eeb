import { readDay, readMoment } from '#contract/expressions/days.ts'
import type { LeafValue, RuleLeaf } from '#contract/expressions/leaf.ts'
import { OPERATORS, type Operator, operatorWords } from '#contract/expressions/operators.ts'
import type { Variable, Variables } from '#contract/expressions/variables.ts'
import type { FieldKind } from '#contract/lists/list.ts'

/** Comparisons with a day counted back from today, each with the operator it stands for. */
const AGO = {
  agoSince: { operator: '>=', words: 'is in the last', behind: 'days' },
  agoBefore: { operator: '<', words: 'is more than', behind: 'days ago' },
  agoUntil: { operator: '<=', words: 'is at least', behind: 'days ago' },
  agoAfter: { operator: '>', words: 'is less than', behind: 'days ago' },
  agoIs: { operator: '==', words: 'is', behind: 'days ago' },
  agoIsNot: { operator: '!=', words: 'is not', behind: 'days ago' },
} as const satisfies Record<string, { operator: Operator; words: string; behind: string }>
type Ago = keyof typeof AGO

/** How a condition is offered in a form: the operators of the language, and "in the last ... days". */
export type Way = Operator | Ago

/** A condition that is being written. The values are what stands in its controls; none may be filled in yet. */
export type Draft = Readonly<{ field: string; way: Way; values: readonly string[] }>

/** What a condition is filled in with. `many`: several texts; `choices`: several of few; `choice`: one of few. */
export type Control = 'none' | 'text' | 'many' | 'number' | 'days' | 'date' | 'moment' | 'choices' | 'choice'

const NUMBERS: readonly FieldKind[] = ['integer', 'decimal', 'money']
const TIMES: readonly FieldKind[] = ['date', 'moment']
const CHOSEN: readonly FieldKind[] = ['choice', 'reference']

function isAgo(way: Way): way is Ago {
  return Object.hasOwn(AGO, way)
}

/** Any text as a way to compare; null where it is none. */
export function readWay(text: string, variable: Variable): Way | null {
  return [...allWays(variable), ...AGO_WAYS].find((way) => way === text) ?? null
}
const AGO_WAYS: readonly Ago[] = ['agoSince', 'agoBefore', 'agoUntil', 'agoAfter', 'agoIs', 'agoIsNot']

function allWays({ kind }: Variable): readonly Way[] {
  return kind === 'text' ? [...OPERATORS.text, 'startsNotWith', 'endsNotWith'] : OPERATORS[kind]
}

/**
 * What a field is offered, in words. One of few is chosen by ticking ("is any of"), so "is" is left out there. A way
 * that a rule already has is offered as well.
 */
export function otpChannels(variable: Variable, current: Way): { value: Way; label: string }[] {
  const { kind } = variable
  const operators = OPERATORS[kind].filter((way) => !CHOSEN.includes(kind) || (way !== '==' && way !== '!='))
  const offered: Way[] = TIMES.includes(kind) ? ['agoSince', 'agoBefore', ...operators] : [...operators]
  if (!offered.includes(current)) offered.push(current)
  return offered.map((value) => ({ value, label: wayWords(value, kind) }))
}

/** "is over", "is in the last ... days". */
export function wayWords(way: Way, kind: FieldKind): string {
  return isAgo(way) ? `${AGO[way].words} ... ${AGO[way].behind}` : operatorWords(way, kind)
}

/** What stands behind the number of days: "days ago". */
export function behindDays(way: Way): string {
  return isAgo(way) ? AGO[way].behind : ''
}

/** A condition of this field that is still to be filled in. */
export function newDraft(field: string, variable: Variable): Draft {
  return { field, way: firstWay(variable), values: [] }
}

function firstWay({ kind }: Variable): Way {
  if (TIMES.includes(kind)) return 'agoSince'
  return CHOSEN.includes(kind) ? 'in' : (OPERATORS[kind][0] ?? 'there')
}

/** A condition of a rule, as its form shows it. */
export function draftOf({ field, operator, value }: RuleLeaf, variable: Variable): Draft {
  if (typeof value === 'object' && value !== null && 'daysAgo' in value) {
    const way = AGO_WAYS.find((ago) => AGO[ago].operator === operator) ?? operator
    return { field, way, values: [String(value.daysAgo)] }
  }
  const values = typeof value === 'string' ? [value] : (value ?? [])
  if (!CHOSEN.includes(variable.kind)) return { field, way: operator, values }
  const ticked: Partial<Record<Operator, Way>> = { '==': 'in', '!=': 'notIn' }
  return { field, way: ticked[operator] ?? operator, values }
}

/** What a condition is filled in with. */
export function controlOf({ kind }: Variable, { way, values }: Draft): Control {
  if (isAgo(way)) return 'days'
  if (way === 'missing' || way === 'there' || way === 'yes' || way === 'no') return 'none'
  if (CHOSEN.includes(kind)) return 'choices'
  if (kind === 'references') return 'choice'
  if (NUMBERS.includes(kind)) return 'number'
  if (TIMES.includes(kind)) return (values[0] ?? '').includes('T') ? 'moment' : 'date'
  return way === 'in' || way === 'notIn' ? 'many' : 'text'
}

/** The values that still make sense where the way to compare has changed under them. */
export function fitted(draft: Draft, variable: Variable): readonly string[] {
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

/** What was filled in as a row of a rule, or the sentence that says what is missing. */
export function leafOf(draft: Draft, variables: Variables): RuleLeaf | string {
  const { field, way } = draft
  const variable = Object.hasOwn(variables, field) ? variables[field] : undefined
  if (variable === undefined) return `There is no field ${field}.`
  const operator = isAgo(way) ? AGO[way].operator : way
  const value = readValue(draft, variable)
  if (value === undefined) return `${variable.title}: ${WANTED[controlOf(variable, draft)]}`
  return { field, operator: typeof value === 'string' ? singleOf(operator) : operator, value }
}

const WANTED: Record<Control, string> = {
  none: 'choose a comparison.',
  text: 'enter a text.',
  many: 'enter at least one.',
  number: 'enter a number.',
  days: 'enter a number of days.',
  date: 'enter a date.',
  moment: 'enter a moment such as 2026-03-01T10:00:00Z.',
  choices: 'choose at least one.',
  choice: 'choose one.',
}

/** What stands in the controls as the language has it; undefined where it is not filled in, or makes no sense. */
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

/** "is any of" a single one is "is". */
function singleOf(operator: Operator): Operator {
  if (operator === 'in') return '=='
  return operator === 'notIn' ? '!=' : operator
}

/** Digits as the language has them, from what people type: "29,745.50". */
function readNumber(text: string): string | undefined {
  const match = /^([-\u2212]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$/.exec(text.trim())
  if (!match) return undefined
  const [, minus = '', whole = '', places = ''] = match
  return `${minus === '' ? '' : '-'}${whole.replaceAll(',', '')}${places}`
}
