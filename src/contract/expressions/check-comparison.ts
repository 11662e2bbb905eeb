import { foldCase } from './fold-case.ts'
import { RuleError, type Span } from './rule-error.ts'
import { closest } from './suggest.ts'
import { not } from './connect.ts'
import type { Condition, Kind, Sign, Value } from './tree.ts'
import {
  choicesOf,
  nameOf,
  referredNoun,
  expectedOperand,
  describeType,
  type Typed,
  type TypedValue,
} from './typed.ts'

const MIRRORED: Record<Sign, Sign> = { '==': '==', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }
const CONSTANTS: readonly Value['op'][] = ['number', 'text', 'day', 'moment', 'daysAgo', 'now']

/** `left sign right`, with both sides already checked. */
export function compare(left: Typed, sign: Sign | '!=', right: Typed, span: Span): Condition {
  if (sign === '!=') return not(compare(left, '==', right, span))
  if (left.type === 'null' || right.type === 'null') return missing(left, sign, right, span)
  if (left.type === 'condition' || right.type === 'condition')
    return compareConditions(left, sign, right, span)
  const [one, other] = coerceConstants(left, right)
  const as = kindOf(one, other)
  if (as === null) throw typeMismatch(left, right)
  if (sign !== '==' && (as === 'text' || as === 'choice' || as === 'reference')) {
    const subject = left.field === undefined ? right : left
    throw new RuleError(
      `${describeType(subject)}, which can't be compared with < or >. Use ${as === 'text' ? '==, in, contains, startsWith or endsWith' : '== or in'}.`,
      span,
    )
  }
  const isTurned = isConstant(one) && !isConstant(other)
  return isTurned
    ? { op: 'compare', as, sign: MIRRORED[sign], left: other.value, right: one.value }
    : { op: 'compare', as, sign, left: one.value, right: other.value }
}

/** `value in list`. */
export function compareIn(value: Typed, list: Typed, span: Span): Condition {
  if (list.type === 'texts' || list.type === 'references') return has(list, value)
  if (list.type !== 'list') {
    const hint = list.type === 'text' ? ' To search inside text, use contains.' : ''
    throw new RuleError(`in requires a list, like ["a", "b"]. ${describeType(list)}.${hint}`, list)
  }
  if (!isValue(value) || value.type === 'texts' || value.type === 'references') {
    throw new RuleError(`${describeType(value)}, which can't be used before in.`, value)
  }
  const pairs = list.items.map((item) => {
    if (item.type === 'null')
      throw new RuleError("A list can't contain null. Add == null as a separate condition.", item)
    if (isValue(item) && !isConstant(item)) {
      throw new RuleError('A list can only contain plain values. Use == for this one.', item)
    }
    const [, other] = coerceConstants(value, item)
    const as = kindOf(value, other)
    if (as === null) throw typeMismatch(value, item)
    return { as, item: other.value }
  })
  const as = pairs[0]?.as ?? plainKind(value)
  if (as === null) throw new RuleError(`${describeType(value)}, which can't be used before in.`, span)
  if (as !== 'day' && as !== 'moment') {
    return { op: 'in', as, value: value.value, list: pairs.map(({ item }) => item) }
  }
  const parts = pairs.map((pair): Condition => {
    return { op: 'compare', as: pair.as, sign: '==', left: value.value, right: pair.item }
  })
  const [first] = parts
  if (first === undefined) return { op: 'constant', holds: false }
  return parts.length === 1 ? first : { op: 'or', parts }
}

function has(list: TypedValue, value: Typed): Condition {
  const as = list.type === 'texts' ? 'text' : 'reference'
  const name = list.field?.name ?? ''
  if (!isValue(value)) throw new RuleError(`\`${name}\` can't contain ${nameOf(value)}.`, value)
  const item = isConstant(value) ? coerceItem(value, list) : value
  const isOther = item.type === 'reference' && item.field?.variable.refersTo !== list.field?.variable.refersTo
  if (item.type !== as || (isOther && item.field !== undefined)) {
    const wanted = as === 'text' ? 'text' : `the ID of ${referredNoun(list.field)}`
    const example = as === 'text' ? 'Ford' : '12'
    throw new RuleError(
      `\`${name}\` is ${nameOf(list)}: look for ${wanted} in quotes, as in "${example}" in ${name}.`,
      value,
    )
  }
  return { op: 'has', field: name, as, value: item.value }
}

/** A constant that a list is tested for: the ID of a record, a declared choice if the list has choices, or any text. */
function coerceItem(constant: TypedValue, list: TypedValue): TypedValue {
  if (list.type === 'references') return asReference(constant, list)
  const hasChoices = list.field?.variable.choices !== undefined
  return hasChoices && constant.type === 'text' ? { ...asChoice(constant, list), type: 'text' } : constant
}

function missing(left: Typed, sign: Sign, right: Typed, span: Span): Condition {
  if (sign !== '==') throw new RuleError("null can't be compared with < or >. Use == null or != null.", span)
  const of = left.type === 'null' ? right : left
  if (of.type === 'condition' && of.field !== undefined) {
    return { op: 'missing', of: { op: 'field', field: of.field.name, kind: of.field.variable.kind } }
  }
  if (!isValue(of) || isConstant(of)) {
    throw new RuleError('Only a field can be compared with null.', of)
  }
  return { op: 'missing', of: of.value }
}

function compareConditions(left: Typed, sign: Sign, right: Typed, span: Span): Condition {
  if (left.type !== 'condition' || right.type !== 'condition') throw typeMismatch(left, right)
  if (sign !== '==') throw new RuleError("Yes or no can't be compared with < or >. Use == or !=.", span)
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const { condition } = other
    if (condition.op === 'constant') return condition.holds ? one.condition : not(one.condition)
  }
  return { op: 'same', left: left.condition, right: right.condition }
}

/** Both sides, with a constant converted to the type of the other side (choice or reference). */
function coerceConstants(left: Typed, right: Typed): [TypedValue, TypedValue] {
  if (!isValue(left) || !isValue(right)) throw typeMismatch(left, right)
  if (isConstant(right)) return [left, coerce(right, left)]
  if (isConstant(left)) return [coerce(left, right), right]
  return [left, right]
}

function coerce(constant: TypedValue, model: TypedValue): TypedValue {
  if (model.type === 'choice') return asChoice(constant, model)
  return model.type === 'reference' ? asReference(constant, model) : constant
}

function asChoice(constant: TypedValue, model: TypedValue): TypedValue {
  if (constant.value.op !== 'text') throw typeMismatch(model, constant)
  const { text } = constant.value
  const choices = model.field?.variable.choices ?? []
  const chosen = choices.find(({ value }) => foldCase(value) === foldCase(text))
  if (chosen !== undefined) {
    return { ...constant, type: 'choice', value: { op: 'text', text: chosen.value } }
  }
  const meant =
    choices.find(({ label }) => foldCase(label) === foldCase(text))?.value ??
    closest(
      text,
      choices.map(({ value }) => value),
    )
  const question = meant === undefined ? '' : ` Did you mean "${meant}"?`
  throw new RuleError(
    `\`${model.field?.name ?? ''}\` can't be "${text}".${question} Valid values: ${choicesOf(model.field)}.`,
    constant,
  )
}

const MOST = 2n ** 63n - 1n

function asReference(constant: TypedValue, model: TypedValue): TypedValue {
  const { value } = constant
  const digits = value.op === 'text' ? value.text : value.op === 'number' && value.digits
  if (typeof digits !== 'string' || !/^[1-9]\d{0,18}$/.test(digits) || BigInt(digits) > MOST) {
    throw new RuleError(
      `Compare \`${model.field?.name ?? ''}\` with the ID of ${referredNoun(model.field)} in quotes, like "12".`,
      constant,
    )
  }
  return { ...constant, type: 'reference', value: { op: 'text', text: digits } }
}

/** The type in which two sides are compared; null if they can't be. */
function kindOf(left: TypedValue, right: TypedValue): Kind | null {
  const isTime = (type: Typed['type']) => type === 'day' || type === 'moment'
  if (isTime(left.type) && isTime(right.type)) return left.type === right.type ? plainKind(left) : 'day'
  if (left.type !== right.type) return null
  if (left.field !== undefined && right.field !== undefined) {
    const one = left.field.variable
    const other = right.field.variable
    if (left.type === 'reference' && one.refersTo !== other.refersTo) return null
    if (left.type === 'choice' && choicesOf(left.field) !== choicesOf(right.field)) return null
  }
  return plainKind(left)
}

function plainKind({ type }: TypedValue): Kind | null {
  return type === 'texts' || type === 'references' ? null : type
}

export function isValue(typed: Typed): typed is TypedValue {
  return 'value' in typed
}

export function isConstant({ value }: TypedValue): boolean {
  return CONSTANTS.includes(value.op)
}

function typeMismatch(left: Typed, right: Typed): RuleError {
  const [subject, other] =
    left.field === undefined && right.field !== undefined ? [right, left] : [left, right]
  if (subject.type === 'texts' || subject.type === 'references') {
    const example = subject.type === 'texts' ? '"..."' : '"12"'
    return new RuleError(
      `${describeType(subject)}: check whether it contains a value, as in ${example} in ${subject.field?.name ?? 'list'}.`,
      other,
    )
  }
  const instead = nameOf(other) === nameOf(subject) ? '' : `, not ${nameOf(other)}`
  return new RuleError(
    `${describeType(subject)}: compare it with ${expectedOperand(subject)}${instead}.`,
    other,
  )
}
