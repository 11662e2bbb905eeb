import { FUNCTIONS, TEXT_TESTS } from './functions.ts'
import { tokensOf, type Token } from './tokens.ts'
import type { Variable, Variables } from './variables.ts'

/** `insert` replaces the text between `from` and the cursor. */
export type Completion = { label: string; insert: string; detail: string }

/** Suggestions at a position of a rule being edited. `from` is the start of the text being completed. */
export function completionsAt(
  text: string,
  at: number,
  variables: Variables,
): { from: number; options: Completion[] } {
  const tokens = tokensOf(text.slice(0, at))
  const last = tokens.at(-1)
  if (last?.kind === 'open') {
    const quote = last.text.charAt(0)
    const typed = last.text.slice(1).toLowerCase()
    const options = choices(subjectOf(tokens.slice(0, -1), variables)?.[1])
    const closing = text.charAt(at) === quote ? '' : quote
    return {
      from: last.from + 1,
      options: options
        .filter(([value, label]) => startsWith([value, label], typed))
        .map(([value, label]) => ({ label: value, insert: `${value}${closing}`, detail: label })),
    }
  }
  const isTyping = last !== undefined && last.to === at
  if (isTyping && (last.kind === 'number' || last.kind === 'text')) return { from: at, options: [] }
  const isWord = isTyping && last.kind === 'word'
  const typed = isWord ? last.text.toLowerCase() : ''
  const options = optionsAfter(isWord ? tokens.slice(0, -1) : tokens, variables)
  return {
    from: isWord ? last.from : at,
    options: options.filter(({ label, detail }) => startsWith([label, detail], typed)),
  }
}

const startsWith = (words: readonly string[], typed: string) =>
  words.some((word) => word.toLowerCase().startsWith(typed))

function optionsAfter(tokens: readonly Token[], variables: Variables): Completion[] {
  const last = tokens.at(-1)
  if (last?.text === '.') {
    return TEXT_TESTS.map((name) => ({ label: name, insert: `${name}("`, detail: 'text in quotes' }))
  }
  if (last !== undefined && endsOperand(last)) return signsAfter(tokens, last, variables)
  const subject = subjectOf(tokens, variables)
  return subject === null ? startOptions(variables) : valuesFor(subject, variables)
}

function endsOperand({ kind, text }: Token): boolean {
  if (kind === 'sign') return text === ')' || text === ']'
  return text !== 'in'
}

const MEANINGS = new Map([
  ['==', 'is'],
  ['!=', 'is not'],
  ['<', 'is under'],
  ['<=', 'is at most'],
  ['>', 'is over'],
  ['>=', 'is at least'],
  ['in', 'is one of'],
  ['&&', 'and'],
  ['||', 'or'],
])
const CONNECTING = ['&&', '||']
const EQUAL = ['==', '!=']
const ORDERED = [...EQUAL, '<', '<=', '>', '>=']
const SIGNS: Record<Variable['kind'], readonly string[]> = {
  text: [...EQUAL, 'in'],
  texts: EQUAL,
  choice: [...EQUAL, 'in'],
  reference: [...EQUAL, 'in'],
  references: EQUAL,
  integer: [...ORDERED, 'in'],
  decimal: [...ORDERED, 'in'],
  money: [...ORDERED, 'in'],
  date: ORDERED,
  moment: ORDERED,
  flag: CONNECTING,
}

function signsAfter(tokens: readonly Token[], last: Token, variables: Variables): Completion[] {
  const variable = fieldAt(last, variables)
  const isCompared = subjectOf(tokens.slice(0, -1), variables) !== null || tokens.at(-2)?.text === 'in'
  if (variable === null || isCompared) return CONNECTING.map(sign)
  const tests = TEXT_TESTS.map((name) => ({
    label: `.${name}`,
    insert: `.${name}("`,
    detail: 'text in quotes',
  }))
  return [...SIGNS[variable.kind].map(sign), ...(variable.kind === 'text' ? tests : [])]
}

function sign(text: string): Completion {
  return { label: text, insert: `${text} `, detail: MEANINGS.get(text) ?? '' }
}

type Subject = [name: string, variable: Variable]

/** The field that the value at the end is compared with, as in `status == ` and `status in ["new", `. */
function subjectOf(tokens: readonly Token[], variables: Variables): Subject | null {
  const last = tokens.at(-1)
  if (last === undefined) return null
  let signAt = tokens.length - 1
  if (last.text === ',' || last.text === '[') {
    signAt = tokens.findLastIndex(({ text }) => text === '[') - 1
    if (tokens[signAt]?.text !== 'in') return null
  } else if (!ORDERED.includes(last.text)) return null
  const subject = tokens[signAt - 1]
  const variable = subject === undefined ? null : fieldAt(subject, variables)
  return subject === undefined || variable === null ? null : [subject.text, variable]
}

function fieldAt({ kind, text }: Token, variables: Variables): Variable | null {
  return kind === 'word' && Object.hasOwn(variables, text) ? (variables[text] ?? null) : null
}

function valuesFor([subject, variable]: Subject, variables: Variables): Completion[] {
  const listed = choices(variable).map(([value, label]) => {
    return { label: `"${value}"`, insert: `"${value}"`, detail: label }
  })
  const others = Object.entries(variables)
    .filter(([name, other]) => name !== subject && isComparable(variable, other))
    .map(([name, { title }]) => ({ label: name, insert: name, detail: title }))
  const isTime = variable.kind === 'date' || variable.kind === 'moment'
  const calls = isTime ? functions(({ name }) => name !== 'size') : []
  const nothing = { label: 'null', insert: 'null', detail: 'missing' }
  return [...listed, ...calls, ...others, nothing]
}

const NUMBERS: readonly Variable['kind'][] = ['integer', 'decimal', 'money']
const TIMES: readonly Variable['kind'][] = ['date', 'moment']

function isComparable(one: Variable, other: Variable): boolean {
  if (NUMBERS.includes(one.kind)) return NUMBERS.includes(other.kind)
  if (TIMES.includes(one.kind)) return TIMES.includes(other.kind)
  if (one.kind !== other.kind || one.refersTo !== other.refersTo) return false
  return one.kind === 'text' || one.kind === 'reference'
}

function choices(variable: Variable | undefined): [value: string, label: string][] {
  return (variable?.choices ?? []).map(({ value, label }) => [value, label])
}

function startOptions(variables: Variables): Completion[] {
  const fields = Object.entries(variables).map(([name, { title }]) => ({
    label: name,
    insert: name,
    detail: title,
  }))
  return [...fields, ...functions(() => true)]
}

function functions(isWanted: (one: (typeof FUNCTIONS)[number]) => boolean): Completion[] {
  return FUNCTIONS.filter(isWanted).map(({ name, takes, detail }) => {
    return { label: `${name}()`, insert: takes === 0 ? `${name}()` : `${name}(`, detail }
  })
}
