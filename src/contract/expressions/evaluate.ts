import { dayIn } from '../today.ts'
import { readDay, readMoment } from './days.ts'
import { Exact, quotient } from './exact.ts'
import { foldCase } from './fold-case.ts'
import type { Formula } from './read.ts'
import { typeOf } from './value-type.ts'
import type { Condition, Kind, Rule, Sign, TextTest, Value } from './tree.ts'

type Values = Readonly<Record<string, unknown>>
/** A row, the instant that `now()` returns, in milliseconds, and the time zone for days. */
type At = Readonly<{ values: Values; now: number; zone: string }>
type Test = (at: At) => boolean
type Evaluator<T> = (at: At) => T | null

const compiled = new WeakMap<Rule, Test>()

/**
 * Whether a rule is true for a row. Values are as in the API: numbers, or digits; money in integer cents; a
 * reference as its ID in digits; dates and instants as text; null, absent or of another type is missing. Returns
 * the same rows as `ruleToSql`. The first call with a rule compiles it.
 */
export function evaluateRule(
  rule: Rule,
  values: Values,
  { now, zone }: { now: Date; zone: string },
): boolean {
  const known = compiled.get(rule)
  const test = known ?? compile(rule.tree)
  if (known === undefined) compiled.set(rule, test)
  return test({ values, now: now.getTime(), zone })
}

/**
 * Compiles a formula. @returns its result for a row as text: plain digits for a number, `true` or `false` for a
 * condition; null if a part of it is missing. `values` as in `evaluateRule`; without an instant, `now()` is 1970.
 */
export function compileFormula(
  formula: Formula,
): (values: Values, at?: { now: Date; zone: string }) => string | null {
  const atOf = (values: Values, at?: { now: Date; zone: string }): At => {
    return { values, now: at?.now.getTime() ?? 0, zone: at?.zone ?? 'UTC' }
  }
  if (formula.type === 'condition') {
    const test = compile(formula.tree)
    return (values, at) => String(test(atOf(values, at)))
  }
  if (formula.type === 'text') {
    const words = text(formula.value)
    return (values, at) => words(atOf(values, at))
  }
  const digits = number(formula.value)
  return (values, at) => digits(atOf(values, at))?.toFixed() ?? null
}

/** A number that needs no row; undefined if it needs one, null if it is missing: 1 / 0. */
export function constantNumber(value: Value): Exact | null | undefined {
  return needsRow(value) ? undefined : number(value)({ values: {}, now: 0, zone: 'UTC' })
}

function needsRow(value: Value): boolean {
  switch (value.op) {
    case 'number':
      return false
    case 'minus':
      return needsRow(value.of)
    case 'sum':
      return needsRow(value.left) || needsRow(value.right)
    default:
      return true
  }
}

function compile(tree: Condition): Test {
  switch (tree.op) {
    case 'and': {
      const parts = tree.parts.map(compile)
      return (at) => parts.every((part) => part(at))
    }
    case 'or': {
      const parts = tree.parts.map(compile)
      return (at) => parts.some((part) => part(at))
    }
    case 'not': {
      const part = compile(tree.part)
      return (at) => !part(at)
    }
    case 'constant':
      return () => tree.holds
    case 'flag':
      return ({ values }) => values[tree.field] === true
    case 'choose': {
      const [when, yes, no] = [compile(tree.when), compile(tree.yes), compile(tree.no)]
      return (at) => (when(at) ? yes(at) : no(at))
    }
    case 'same': {
      const [left, right] = [compile(tree.left), compile(tree.right)]
      return (at) => left(at) === right(at)
    }
    case 'missing':
      return missing(tree.of)
    case 'compare':
      return comparison(tree.as, tree.sign, tree.left, tree.right)
    case 'in': {
      const tests = tree.list.map((item) => comparison(tree.as, '==', tree.value, item))
      return (at) => tests.some((test) => test(at))
    }
    case 'has': {
      const isText = tree.as === 'text'
      const list = textsOf(tree.field)
      const wanted = isText ? folded(tree.value) : text(tree.value)
      return (at) => {
        const value = wanted(at)
        return value !== null && (list(at) ?? []).some((one) => (isText ? foldCase(one) : one) === value)
      }
    }
    default:
      return textTest(tree.op, folded(tree.text), folded(tree.part))
  }
}

function missing(of: Value): Test {
  if (of.op === 'field') {
    const { field, kind } = of
    if (kind === 'flag') return ({ values }) => typeof values[field] !== 'boolean'
    if (kind === 'texts' || kind === 'references') {
      const list = textsOf(field)
      return (at) => (list(at) ?? []).length === 0
    }
  }
  const read = anyOf(of)
  return (at) => read(at) === null
}

function anyOf(value: Value): Evaluator<unknown> {
  switch (typeOf(value)) {
    case 'number':
      return number(value)
    case 'text':
      return text(value)
    case 'day':
      return day(value)
    default:
      return moment(value)
  }
}

const HOLDS: Record<Sign, (order: number) => boolean> = {
  '==': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function comparison(as: Kind, sign: Sign, left: Value, right: Value): Test {
  const holds = HOLDS[sign]
  const ordered = <T>(one: Evaluator<T>, other: Evaluator<T>, order: (one: T, other: T) => number): Test => {
    return (at) => {
      const a = one(at)
      const b = a === null ? null : other(at)
      return a !== null && b !== null && holds(order(a, b))
    }
  }
  const equality = (one: string, other: string) => (one === other ? 0 : NaN)
  switch (as) {
    case 'number': {
      const isPlain = left.op === 'field' && left.kind !== 'money'
      if (isPlain && right.op === 'number') return compareWithConstant(left.field, holds, right.digits)
      return ordered(number(left), number(right), (one, other) => one.comparedTo(other))
    }
    case 'text':
      return ordered(folded(left), folded(right), equality)
    case 'choice':
    case 'reference':
      return ordered(text(left), text(right), equality)
    case 'day':
      return ordered(day(left), day(right), (one, other) => one - other)
    default:
      return ordered(moment(left), moment(right), (one, other) => one - other)
  }
}

/** Most comparisons: a field with a constant. Short digits are compared without making decimals of them. */
function compareWithConstant(field: string, holds: (order: number) => boolean, digits: string): Test {
  const exact = new Exact(digits)
  const double = digits.length <= MAX_DOUBLE ? Number(digits) : null
  return ({ values }) => {
    const value = values[field]
    if (double !== null && typeof value === 'string' && value.length <= MAX_DOUBLE && DECIMAL.test(value)) {
      return holds(Number(value) - double)
    }
    const found = exactOf(value)
    return found !== null && holds(found.comparedTo(exact))
  }
}

/** Characters of decimals that are different doubles if they are different, in the same order. */
const MAX_DOUBLE = 15

function textTest(op: TextTest, whole: Evaluator<string>, part: Evaluator<string>): Test {
  const holds = {
    contains: (one: string, other: string) => one.includes(other),
    startsWith: (one: string, other: string) => one.startsWith(other),
    endsWith: (one: string, other: string) => one.endsWith(other),
  }[op]
  return (at) => {
    const one = whole(at)
    const other = part(at)
    return one !== null && other !== null && holds(one, other)
  }
}

function choose<T>(
  value: Extract<Value, { op: 'choose' }>,
  read: (value: Value) => Evaluator<T>,
): Evaluator<T> {
  const [when, yes, no] = [compile(value.when), read(value.yes), read(value.no)]
  return (at) => (when(at) ? yes(at) : no(at))
}

function number(value: Value): Evaluator<Exact> {
  switch (value.op) {
    case 'field': {
      const { field, kind } = value
      if (kind !== 'money') return ({ values }) => exactOf(values[field])
      const cent = new Exact('0.01')
      return ({ values }) => exactOf(values[field])?.times(cent) ?? null
    }
    case 'number': {
      const constant = new Exact(value.digits)
      return () => constant
    }
    case 'minus': {
      const of = number(value.of)
      return (at) => of(at)?.negated() ?? null
    }
    case 'sum':
      return sum(value.sign, number(value.left), number(value.right))
    case 'size':
      return size(value.of)
    case 'choose':
      return choose(value, number)
    default:
      return () => null
  }
}

function sum(sign: '+' | '-' | '*' | '/', left: Evaluator<Exact>, right: Evaluator<Exact>): Evaluator<Exact> {
  const result = {
    '+': (one: Exact, other: Exact) => one.plus(other),
    '-': (one: Exact, other: Exact) => one.minus(other),
    '*': (one: Exact, other: Exact) => one.times(other),
    '/': quotient,
  }[sign]
  return (at) => {
    const one = left(at)
    const other = right(at)
    return one === null || other === null ? null : result(one, other)
  }
}

function size(of: Value): Evaluator<Exact> {
  const isList = of.op === 'field' && (of.kind === 'texts' || of.kind === 'references')
  const list = isList ? textsOf(of.field) : null
  const characters = text(of)
  return (at) => {
    const counted = list === null ? characters(at) : list(at)
    if (counted === null) return null
    // By code points, like the database, not by UTF-16 units.
    return new Exact(typeof counted === 'string' ? Array.from(counted).length : counted.length)
  }
}

const DECIMAL = /^[+-]?\d{1,1000}(\.\d{1,1000})?$/

function exactOf(value: unknown): Exact | null {
  if (typeof value === 'number') return Number.isFinite(value) ? new Exact(value) : null
  if (typeof value === 'bigint') return new Exact(value)
  return typeof value === 'string' && DECIMAL.test(value) ? new Exact(value) : null
}

function folded(value: Value): Evaluator<string> {
  if (value.op === 'text') {
    const constant = foldCase(value.text)
    return () => constant
  }
  const read = text(value)
  return (at) => {
    const found = read(at)
    if (found === null) return null
    return found.length > MAX_FOLDED_AGAIN ? foldOnce(at.values, found) : foldCase(found)
  }
}

/** Longer texts are folded once per row, not by each comparison: a page of capitals takes a millisecond. */
const MAX_FOLDED_AGAIN = 500
const longTexts = new WeakMap<Values, Map<string, string>>()

function foldOnce(values: Values, words: string): string {
  const known = longTexts.get(values) ?? new Map<string, string>()
  longTexts.set(values, known)
  const result = known.get(words) ?? foldCase(words)
  known.set(words, result)
  return result
}

function text(value: Value): Evaluator<string> {
  switch (value.op) {
    case 'field':
      return ({ values }) => textOf(values[value.field])
    case 'text':
      return () => value.text
    case 'choose':
      return choose(value, text)
    default:
      return () => null
  }
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null
}

function textsOf(field: string): Evaluator<string[]> {
  return ({ values }) => {
    const list = values[field]
    return Array.isArray(list) ? list.flatMap((one) => textOf(one) ?? []) : null
  }
}

function day(value: Value): Evaluator<number> {
  switch (value.op) {
    case 'field': {
      const { field, kind } = value
      if (kind === 'moment') return dayOfMoment(moment(value))
      return ({ values }) => readText(values[field], readDay)
    }
    case 'day': {
      const constant = readDay(value.day)
      return () => constant
    }
    case 'daysAgo':
      return ({ now, zone }) => dayIn(zone, now) - value.days
    case 'choose':
      return typeOf(value) === 'day' ? choose(value, day) : dayOfMoment(choose(value, moment))
    default:
      return dayOfMoment(moment(value))
  }
}

function dayOfMoment(read: Evaluator<number>): Evaluator<number> {
  return (at) => {
    const found = read(at)
    return found === null ? null : dayIn(at.zone, found)
  }
}

function moment(value: Value): Evaluator<number> {
  switch (value.op) {
    case 'field': {
      const { field } = value
      return ({ values }) => {
        const found = values[field]
        return found instanceof Date ? found.getTime() : readText(found, readMoment)
      }
    }
    case 'moment': {
      const constant = readMoment(value.moment)
      return () => constant
    }
    case 'now':
      return ({ now }) => now
    case 'choose':
      return choose(value, moment)
    default:
      return () => null
  }
}

function readText(value: unknown, read: (text: string) => number | null): number | null {
  return typeof value === 'string' ? read(value) : null
}
