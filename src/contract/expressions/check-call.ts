import { readDay, readMoment } from './days.ts'
import { FUNCTIONS, TEXT_TESTS } from './functions.ts'
import { Unreadable, type Span } from './unreadable.ts'
import { closest } from './suggest.ts'
import type { Condition, Value } from './tree.ts'
import { says, type Typed } from './typed.ts'

const MAX_DAYS = 36_500

type Called = { type: 'number' | 'day' | 'moment'; value: Value }

type KnownCall = (typeof FUNCTIONS)[number]
type Test = (typeof TEXT_TESTS)[number]

/** @throws Unreadable where there is no such function. */
export function knownFunction(name: string, span: Span): KnownCall {
  const known = FUNCTIONS.find((one) => one.name === name)
  if (known === undefined) throw unknownFunction(name, span)
  return known
}

/** `today()`, `date("2026-03-01")` ... @throws Unreadable for arguments it does not take. */
export function call(known: KnownCall, args: readonly Typed[], span: Span): Called {
  const [first] = args
  if (args.length !== known.takes) throw new Unreadable(`Write ${known.example}.`, span)
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

/** @throws Unreadable where nothing of that name stands behind a point. */
export function knownTest(name: string, span: Span): Test {
  const test = TEXT_TESTS.find((one) => one === name)
  if (test !== undefined) return test
  const meant = closest(name, TEXT_TESTS)
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  throw new Unreadable(
    `There is no function ${name} behind a point.${question} There are ${TEXT_TESTS.join(', ')}.`,
    span,
  )
}

/** `make.contains("ord")`. @throws Unreadable where it is not asked of text, or for no text. */
export function testText(
  test: Test,
  receiver: Typed,
  args: readonly Typed[],
  span: Span,
): { type: 'condition'; condition: Condition } {
  if (receiver.type !== 'text') throw notText(receiver, test)
  const [part] = args
  if (part?.type !== 'text' || args.length !== 1) {
    throw new Unreadable(`${test} takes one text in quotes, as in ${test}("ord").`, part ?? span)
  }
  return { type: 'condition', condition: { op: test, text: receiver.value, part: part.value } }
}

function notText(receiver: Typed, test: string): Unreadable {
  const hint =
    receiver.type === 'texts' || receiver.type === 'references'
      ? ` Write "..." in ${receiver.field?.name ?? 'it'}.`
      : ''
  return new Unreadable(`${says(receiver)}: only text has ${test}.${hint}`, receiver)
}

function unknownFunction(name: string, span: Span): Unreadable {
  const test = TEXT_TESTS.find((one) => one === name)
  if (test !== undefined)
    return new Unreadable(`Write ${test} behind a point, as in make.${test}("ord").`, span)
  const names = FUNCTIONS.map((one) => one.name)
  const meant = closest(name, names)
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new Unreadable(`There is no function ${name}.${question} There are ${names.join(', ')}.`, span)
}

function days(typed: Typed | undefined, span: Span): number {
  const count = typed?.type === 'number' && typed.value.op === 'number' ? Number(typed.value.digits) : NaN
  if (Number.isInteger(count) && Math.abs(count) <= MAX_DAYS) return count
  throw new Unreadable(
    `daysAgo takes a whole number of days, at most ${MAX_DAYS}, as in daysAgo(30).`,
    typed ?? span,
  )
}

function day(typed: Typed | undefined, span: Span): Value {
  const text = textOf(typed)
  if (text !== null && readDay(text) !== null) return { op: 'day', day: text }
  throw new Unreadable('There is no such day. Write it as date("2026-03-01").', typed ?? span)
}

function moment(typed: Typed | undefined, span: Span): Value {
  const text = textOf(typed)
  const milliseconds = text !== null && text.includes('T') ? readMoment(text) : null
  if (milliseconds !== null) return { op: 'moment', moment: new Date(milliseconds).toISOString() }
  throw new Unreadable(
    'There is no such point in time. Write it with its zone, as timestamp("2026-03-01T10:00:00Z").',
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
  throw new Unreadable(`size counts the characters of text or the values of a list.`, typed ?? span)
}
