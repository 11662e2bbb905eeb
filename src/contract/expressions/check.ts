import type { ASTNode } from '@marcbachmann/cel-js'
import { call, findFunction, findTextTest, testText } from './check-call.ts'
import { compare, isValue, compareIn } from './check-comparison.ts'
import { literal } from './check-literal.ts'
import { connect, not } from './connect.ts'
import { MAX_DEPTH } from './parse.ts'
import { RuleError, type Span } from './rule-error.ts'
import { closest } from './suggest.ts'
import type { Condition, Value } from './tree.ts'
import { nameOf, describeType, type Typed, type ValueType } from './typed.ts'
import type { Variable, Variables } from './variables.ts'

/** More comparisons would be unreadable, and the numbers of a sum would exceed the limits of `exact.ts`. */
const MAX_COMPARISONS = 100
const MAX_SUMS = 50

/** The context of a check, with counts for the limits. */
export type Scope = { text: string; variables: Variables; comparisons: number; sums: number }

/** Determines the type of every node, from the inside out. @throws RuleError. */
export function check(node: ASTNode, scope: Scope, depth = 0): Typed {
  const span = { from: node.start, to: node.end }
  if (depth > MAX_DEPTH) {
    throw new RuleError(`The rule is nested too deeply: at most ${MAX_DEPTH} levels.`, span)
  }
  const inner = (part: ASTNode) => check(part, scope, depth + 1)
  switch (node.op) {
    case 'value':
      return { ...span, ...literal(node.args, scope.text.slice(node.start, node.end), span) }
    case 'id':
      return name(node.args, scope.variables, span)
    case '&&':
    case '||': {
      const parts = chain(node, node.op).map((part) => condition(inner(part)))
      return { ...span, type: 'condition', condition: connect(node.op === '&&' ? 'and' : 'or', parts) }
    }
    case '!_':
      return { ...span, type: 'condition', condition: not(condition(inner(node.args))) }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      countComparison(scope, span)
      const [left, right] = node.args
      return { ...span, type: 'condition', condition: compare(inner(left), node.op, inner(right), span) }
    }
    case 'in': {
      countComparison(scope, span)
      const [value, list] = node.args
      return { ...span, type: 'condition', condition: compareIn(inner(value), inner(list), span) }
    }
    case 'list':
      return { ...span, type: 'list', items: node.args.map(inner) }
    case '+':
    case '-':
    case '*':
    case '/': {
      countSum(scope, span)
      const [left, right] = node.args
      const value: Value = {
        op: 'sum',
        sign: node.op,
        left: number(inner(left), node.op),
        right: number(inner(right), node.op),
      }
      return { ...span, type: 'number', value }
    }
    case '-_':
      return { ...span, type: 'number', value: minus(number(inner(node.args), '-')) }
    case '?:': {
      const [when, yes, no] = node.args
      return { ...span, ...choose(condition(inner(when)), inner(yes), inner(no)) }
    }
    case 'call': {
      const [called, values] = node.args
      const known = findFunction(called, span)
      return { ...span, ...call(known, values.map(inner), span) }
    }
    case 'rcall': {
      countComparison(scope, span)
      const [called, receiver, values] = node.args
      const test = findTextTest(called, span)
      return { ...span, ...testText(test, inner(receiver), values.map(inner), span) }
    }
    default:
      throw new RuleError(`${scope.text.slice(node.start, node.end)} isn't supported in rules.`, span)
  }
}

/** Requires a condition. @throws RuleError for a number, text, and so on. */
export function condition(typed: Typed): Condition {
  if (typed.type === 'condition') return typed.condition
  throw new RuleError(`${describeType(typed)}, not a condition. Compare it with a value.`, typed)
}

/** `a && b && c` is one chain of any length, not nesting. */
function chain(node: ASTNode, op: '&&' | '||'): ASTNode[] {
  const parts: ASTNode[] = []
  let rest = node
  while ((rest.op === '&&' || rest.op === '||') && rest.op === op) {
    parts.unshift(rest.args[1])
    rest = rest.args[0]
  }
  return [rest, ...parts]
}

function name(id: string, variables: Variables, span: Span): Typed {
  const variable = Object.hasOwn(variables, id) ? variables[id] : undefined
  if (variable === undefined) {
    const titled = Object.entries(variables).find(([, { title }]) => title.toLowerCase() === id.toLowerCase())
    const meant = titled?.[0] ?? closest(id, Object.keys(variables))
    const question = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
    throw new RuleError(`Unknown field \`${id}\`.${question}`, span)
  }
  const field = { name: id, variable }
  if (variable.kind === 'flag') {
    return { ...span, field, type: 'condition', condition: { op: 'flag', field: id } }
  }
  return {
    ...span,
    field,
    type: TYPES[variable.kind],
    value: { op: 'field', field: id, kind: variable.kind },
  }
}

const TYPES: Record<Exclude<Variable['kind'], 'flag'>, ValueType> = {
  text: 'text',
  texts: 'texts',
  choice: 'choice',
  reference: 'reference',
  references: 'references',
  integer: 'number',
  decimal: 'number',
  money: 'number',
  date: 'day',
  moment: 'moment',
}

function number(typed: Typed, sign: string): Value {
  if (typed.type === 'number') return typed.value
  const hint = typed.type === 'day' ? ' For dates, use daysAgo, as in daysAgo(30).' : ''
  throw new RuleError(`${describeType(typed)}: ${sign} requires numbers.${hint}`, typed)
}

function minus(of: Value): Value {
  if (of.op !== 'number') return { op: 'minus', of }
  if (of.digits === '0') return of
  return { op: 'number', digits: of.digits.startsWith('-') ? of.digits.slice(1) : `-${of.digits}` }
}

type ChosenOverload =
  | { type: 'condition'; condition: Condition }
  | { type: 'number' | 'text' | 'day' | 'moment'; value: Value }

function choose(when: Condition, yes: Typed, no: Typed): ChosenOverload {
  if (yes.type === 'condition' && no.type === 'condition') {
    return {
      type: 'condition',
      condition: { op: 'choose', when, yes: yes.condition, no: no.condition },
    }
  }
  if (yes.type !== no.type) {
    throw new RuleError(`Both results must have the same type: ${nameOf(yes)}, not ${nameOf(no)}.`, no)
  }
  const isPlain = yes.type === 'number' || yes.type === 'text' || yes.type === 'day' || yes.type === 'moment'
  if (!isPlain || !isValue(no)) {
    throw new RuleError(
      `${describeType(yes)}, which can't be used with ?. Write two conditions with &&.`,
      yes,
    )
  }
  return { type: yes.type, value: { op: 'choose', when, yes: yes.value, no: no.value } }
}

function countComparison(scope: Scope, span: Span): void {
  scope.comparisons += 1
  if (scope.comparisons > MAX_COMPARISONS) {
    throw new RuleError(`A rule can have at most ${MAX_COMPARISONS} comparisons.`, span)
  }
}

function countSum(scope: Scope, span: Span): void {
  scope.sums += 1
  if (scope.sums > MAX_SUMS) throw new RuleError(`A rule can have at most ${MAX_SUMS} calculations.`, span)
}
