import { readDay, readMoment } from './days.ts'
import { FUNCTIONS, TEXT_TESTS } from './functions.ts'
import { RuleError, type Span } from './rule-error.ts'
import { closest } from './suggest.ts'
import type { Condition, Value } from './tree.ts'
import { describeType, type Typed } from './typed.ts'

const MAX_DAYS = 36_500

type Called = { type: 'number' | 'day' | 'moment'; value: Value }

type KnownCall = (typeof FUNCTIONS)[number]
type Test = (typeof TEXT_TESTS)[number]

/** @throws RuleError if there is no such function. */
export function findFunction(name: string, span: Span): KnownCall {
  const known = FUNCTIONS.find((one) => one.name === name)
  if (known === undefined) throw unknownFunction(name, span)
  return known
}

/** `today()`, `date("2026-03-01")` ... @throws RuleError for invalid arguments. */
export function call(known: KnownCall, args: readonly Typed[], span: Span): Called {
  const [first] = args
  if (args.length !== known.takes) throw new RuleError(`Write ${known.example}.`, span)
  switch (known.name) {
    case 'today':
      return { type: 'day', value: { op: 'daysAgo', days: 0 } }
    case 'now':
      return { type: 'moment', value: { op: 'now' } }
    case 'daysAgo':
      return { type: 'day', value: { op: 'daysAgo', days: days(first, span) } }
    case 'date':
      return { type: 'day', value: day(first, span) }
    case 'timestamp':
      return { type: 'moment', value: moment(first, span) }
    default:
      return { type: 'number', value: size(first, span) }
  }
}

/** @throws RuleError if there is no such method. */
export function findTextTest(name: string, span: Span): Test {
  const test = TEXT_TESTS.find((one) => one === name)
  if (test !== undefined) return test
  const meant = closest(name, TEXT_TESTS)
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  throw new RuleError(
    `Unknown function ${name} after a dot.${question} Available functions: ${TEXT_TESTS.join(', ')}.`,
    span,
  )
}

/** `make.contains("ord")`. @throws RuleError if the receiver or the argument isn't text. */
export function testText(
  test: Test,
  receiver: Typed,
  args: readonly Typed[],
  span: Span,
): { type: 'condition'; condition: Condition } {
  if (receiver.type !== 'text') throw notText(receiver, test)
  const [part] = args
  if (part?.type !== 'text' || args.length !== 1) {
    throw new RuleError(`${test} takes one text in quotes, as in ${test}("ord").`, part ?? span)
  }
  return { type: 'condition', condition: { op: test, text: receiver.value, part: part.value } }
}

function notText(receiver: Typed, test: string): RuleError {
  const hint =
    receiver.type === 'texts' || receiver.type === 'references'
      ? ` Write "..." in ${receiver.field?.name ?? 'it'}.`
      : ''
  return new RuleError(`${describeType(receiver)}: ${test} only works on text.${hint}`, receiver)
}

function unknownFunction(name: string, span: Span): RuleError {
  const test = TEXT_TESTS.find((one) => one === name)
  if (test !== undefined) return new RuleError(`Write ${test} after a dot, as in make.${test}("ord").`, span)
  const names = FUNCTIONS.map((one) => one.name)
  const meant = closest(name, names)
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new RuleError(`Unknown function ${name}.${question} Available functions: ${names.join(', ')}.`, span)
}

function days(typed: Typed | undefined, span: Span): number {
  const count = typed?.type === 'number' && typed.value.op === 'number' ? Number(typed.value.digits) : NaN
  if (Number.isInteger(count) && Math.abs(count) <= MAX_DAYS) return count
  throw new RuleError(
    `daysAgo takes a whole number of days, at most ${MAX_DAYS}, as in daysAgo(30).`,
    typed ?? span,
  )
}

function day(typed: Typed | undefined, span: Span): Value {
  const text = textOf(typed)
  if (text !== null && readDay(text) !== null) return { op: 'day', day: text }
  throw new RuleError('This isn\'t a valid date. Write it as date("2026-03-01").', typed ?? span)
}

function moment(typed: Typed | undefined, span: Span): Value {
  const text = textOf(typed)
  const milliseconds = text !== null && text.includes('T') ? readMoment(text) : null
  if (milliseconds !== null) return { op: 'moment', moment: new Date(milliseconds).toISOString() }
  throw new RuleError(
    'This isn\'t a valid date and time. Include the time zone, as in timestamp("2026-03-01T10:00:00Z").',
    typed ?? span,
  )
}

function textOf(typed: Typed | undefined): string | null {
  return typed?.type === 'text' && typed.value.op === 'text' ? typed.value.text : null
}

function size(typed: Typed | undefined, span: Span): Value {
  if (typed?.type === 'text' || typed?.type === 'texts' || typed?.type === 'references') {
    return { op: 'size', of: typed.value }
  }
  throw new RuleError(`size counts the characters of text or the values of a list.`, typed ?? span)
}
