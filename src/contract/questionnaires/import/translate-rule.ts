import type { Question } from '#contract/questions/definition.ts'

/** How a file writes rules. SurveyJS: `{age} > 17 and {pets} contains 'dog'`. XLSForm: `${age} > 17 and selected(${pets}, 'dog')`. */
export type RuleDialect = 'surveyjs' | 'xlsform'

type Context = Readonly<{
  dialect: RuleDialect
  /** The question of a name in the file; null if there is none. */
  find: (name: string) => Question | null
  /** The question itself, which XLSForm calls `.`. */
  self?: Question
}>

/** A rule that can't be translated. The message says why. */
class Untranslatable extends Error {}

/** Characters of a rule; longer ones exist only in hostile files. */
const MAX_RULE = 10_000
/** Parentheses in parentheses, and signs before signs: our rules have a limit too. */
const MAX_DEPTH = 20

/** A rule of a file in our language, or why it can't be translated. Nothing is guessed. */
export function translateRule(
  text: string,
  context: Context,
): Readonly<{ ok: true; rule: string }> | Readonly<{ ok: false; reason: string }> {
  try {
    const reader = new Reader(tokensOf(text, context.dialect), context)
    const rule = reader.disjunction()
    reader.end()
    return { ok: true, rule }
  } catch (error) {
    if (error instanceof Untranslatable) return { ok: false, reason: error.message }
    throw error
  }
}

/** A calculation of a file in our language: names, numbers and + - * /. */
export function translateFormula(text: string, context: Context): ReturnType<typeof translateRule> {
  try {
    const reader = new Reader(tokensOf(text, context.dialect), context)
    const rule = reader.sum()
    reader.end()
    return { ok: true, rule }
  } catch (error) {
    if (error instanceof Untranslatable) return { ok: false, reason: error.message }
    throw error
  }
}

type Token = Readonly<{ kind: 'name' | 'text' | 'number' | 'word' | 'sign' | 'end'; text: string }>

const SIGNS = [
  '!=',
  '<>',
  '<=',
  '>=',
  '==',
  '&&',
  '||',
  '=',
  '<',
  '>',
  '(',
  ')',
  '[',
  ']',
  ',',
  '+',
  '-',
  '*',
  '/',
  '!',
] as const

function tokensOf(text: string, dialect: RuleDialect): Token[] {
  if (text.length > MAX_RULE) throw new Untranslatable('it is too long.')
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const space = /^\s+/.exec(rest)
    if (space) {
      at += space[0].length
      continue
    }
    const token = nameAt(rest, dialect) ?? literalAt(rest)
    if (token === null) throw new Untranslatable(`“${rest.slice(0, 12)}” isn't understood.`)
    tokens.push(token.token)
    at += token.length
  }
  return [...tokens, { kind: 'end', text: '' }]
}

function nameAt(rest: string, dialect: RuleDialect): { token: Token; length: number } | null {
  const name = (dialect === 'surveyjs' ? /^\{([^{}]+)\}/ : /^\$\{([^{}]+)\}/).exec(rest)
  if (name?.[1] !== undefined)
    return { token: { kind: 'name', text: name[1].trim() }, length: name[0].length }
  // XLSForm: the answer to the question itself.
  if (dialect === 'xlsform' && /^\.(?!\d)/.test(rest))
    return { token: { kind: 'name', text: '.' }, length: 1 }
  return null
}

function literalAt(rest: string): { token: Token; length: number } | null {
  const quoted = /^'([^']*)'|^"([^"]*)"/.exec(rest)
  if (quoted) return { token: { kind: 'text', text: quoted[1] ?? quoted[2] ?? '' }, length: quoted[0].length }
  const number = /^\d+(?:\.\d+)?/.exec(rest)
  if (number) return { token: { kind: 'number', text: number[0] }, length: number[0].length }
  const sign = SIGNS.find((one) => rest.startsWith(one))
  if (sign !== undefined) return { token: { kind: 'sign', text: sign }, length: sign.length }
  const word = /^[A-Za-z][\w-]*/.exec(rest)
  return word ? { token: { kind: 'word', text: word[0] }, length: word[0].length } : null
}

/** A side of a comparison. */
type Side = Readonly<{ question: Question }> | Readonly<{ value: string; isNumber: boolean }>

const COMPARISONS: Readonly<Record<string, string>> = {
  '=': '==',
  '==': '==',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

/** Reads a rule by recursive descent, and writes it in our language. */
class Reader {
  readonly #tokens: readonly Token[]
  readonly #context: Context
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[], context: Context) {
    this.#tokens = tokens
    this.#context = context
  }

  end(): void {
    if (this.#next.kind !== 'end') throw new Untranslatable(`“${this.#next.text}” isn't understood.`)
  }

  disjunction(): string {
    const parts = [this.#conjunction()]
    while (this.#takeWord('or') || this.#takeSign('||')) parts.push(this.#conjunction())
    return parts.length === 1 ? (parts[0] ?? '') : parts.map((part) => `(${part})`).join(' || ')
  }

  /** A calculation with + and -. */
  sum(): string {
    let text = this.#product()
    for (;;) {
      if (this.#takeSign('+')) text = `${text} + ${this.#product()}`
      else if (this.#takeSign('-')) text = `${text} - ${this.#product()}`
      else return text
    }
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  #takeSign(sign: string): boolean {
    if (this.#next.kind !== 'sign' || this.#next.text !== sign) return false
    this.#at += 1
    return true
  }

  #takeWord(word: string): boolean {
    if (this.#next.kind !== 'word' || this.#next.text.toLowerCase() !== word) return false
    this.#at += 1
    return true
  }

  #expect(sign: string): void {
    if (!this.#takeSign(sign)) throw new Untranslatable(`“${sign}” is missing before “${this.#next.text}”.`)
  }

  #conjunction(): string {
    const parts = [this.#factor()]
    while (this.#takeWord('and') || this.#takeSign('&&')) parts.push(this.#factor())
    return parts.length === 1
      ? (parts[0] ?? '')
      : parts.map((part) => (part.includes(' || ') && !isWrapped(part) ? `(${part})` : part)).join(' && ')
  }

  /** What is in parentheses, with the closing one. */
  #nested<T>(read: () => T): T {
    return this.#deeper(() => {
      const result = read()
      this.#expect(')')
      return result
    })
  }

  #deeper<T>(read: () => T): T {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new Untranslatable('it is nested too deeply.')
    const result = read()
    this.#depth -= 1
    return result
  }

  #factor(): string {
    if (this.#takeSign('!')) return `!(${this.#deeper(() => this.#factor())})`
    const isNot = this.#next.kind === 'word' && this.#next.text.toLowerCase() === 'not'
    if (isNot) {
      this.#at += 1
      this.#expect('(')
      return `!(${this.#nested(() => this.disjunction())})`
    }
    if (this.#takeSign('(')) return `(${this.#nested(() => this.disjunction())})`
    if (this.#context.dialect === 'xlsform' && this.#takeWord('selected')) {
      this.#expect('(')
      return this.#nested(() => this.#selected())
    }
    return this.#comparison()
  }

  /** `selected(${pets}, 'dog')`. */
  #selected(): string {
    const question = this.#question()
    this.#expect(',')
    const { text } = this.#literal()
    return holds(question, text)
  }

  #comparison(): string {
    const left = this.#side()
    if ('question' in left && this.#context.dialect === 'surveyjs') {
      const found = this.#surveyOperator(left.question)
      if (found !== null) return found
    }
    const sign = this.#next.kind === 'sign' ? COMPARISONS[this.#next.text] : undefined
    if (sign === undefined) {
      if ('question' in left && left.question.type === 'boolean') return left.question.code
      throw new Untranslatable(`a comparison is missing before “${this.#next.text}”.`)
    }
    this.#at += 1
    return compare(left, sign, this.#side())
  }

  /** The operators that SurveyJS writes as words; null if none of them follows. */
  #surveyOperator(question: Question): string | null {
    if (this.#takeWord('notempty')) return `${usable(question)} != null`
    if (this.#takeWord('empty')) return `${usable(question)} == null`
    if (this.#takeWord('contains') || this.#takeWord('contain')) return holds(question, this.#literal().text)
    if (this.#takeWord('notcontains') || this.#takeWord('notcontain')) {
      return `!(${holds(question, this.#literal().text)})`
    }
    if (this.#takeWord('anyof')) return this.#anyOf(question)
    return null
  }

  #anyOf(question: Question): string {
    const values: string[] = []
    if (!this.#takeSign('[')) values.push(this.#literal().text)
    else {
      do values.push(this.#literal().text)
      while (this.#takeSign(','))
      this.#expect(']')
    }
    if (question.type === 'single') return `${question.code} in [${values.map(quote).join(', ')}]`
    return values.map((value) => `(${holds(question, value)})`).join(' || ')
  }

  #literal(): Token {
    const token = this.#next
    if (token.kind === 'word') throw new Untranslatable(`“${token.text}” isn't understood.`)
    if (token.kind !== 'text' && token.kind !== 'number') {
      throw new Untranslatable(`a value is missing before “${token.text}”.`)
    }
    this.#at += 1
    return token
  }

  #question(): Question {
    const token = this.#next
    if (token.kind !== 'name') throw new Untranslatable(`“${token.text}” isn't understood.`)
    this.#at += 1
    const question = token.text === '.' ? this.#context.self : this.#context.find(token.text)
    if (question === undefined || question === null)
      throw new Untranslatable(`it uses ${token.text}, which was not imported.`)
    return question
  }

  #side(): Side {
    const token = this.#next
    if (token.kind === 'name') return { question: this.#question() }
    if (token.kind === 'word' && ['true', 'false'].includes(token.text.toLowerCase())) {
      this.#at += 1
      return { value: token.text.toLowerCase(), isNumber: false }
    }
    if (this.#takeSign('-')) return { value: `-${this.#literal().text}`, isNumber: true }
    const { text, kind } = this.#literal()
    return { value: text, isNumber: kind === 'number' }
  }

  #product(): string {
    let text = this.#term()
    for (;;) {
      if (this.#takeSign('*')) text = `${text} * ${this.#term()}`
      else if (this.#takeSign('/') || this.#takeWord('div')) text = `${text} / ${this.#term()}`
      else return text
    }
  }

  #term(): string {
    if (this.#takeSign('(')) return `(${this.#nested(() => this.sum())})`
    if (this.#takeSign('-')) return `-${this.#deeper(() => this.#term())}`
    if (this.#next.kind === 'number') return this.#literal().text
    const question = this.#question()
    const isNumber =
      question.type === 'number' ||
      question.type === 'rating' ||
      (question.type === 'computed' && question.result === 'number')
    if (!isNumber) throw new Untranslatable(`${question.code} isn't a number.`)
    return question.code
  }
}

/** Whether the first parenthesis is closed by the last one. */
function isWrapped(text: string): boolean {
  if (!text.startsWith('(')) return false
  let depth = 0
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return false
  }
  return true
}

const quote = (text: string): string => JSON.stringify(text)

/** The code of a question that rules can use. */
function usable({ type, code }: Question): string {
  const isUsable = !['note', 'matrix', 'table', 'file', 'address', 'person', 'facility'].includes(type)
  if (!isUsable) throw new Untranslatable(`rules can't use ${code}.`)
  return code
}

/** Whether a choice is chosen. */
function holds(question: Question, value: string): string {
  if (question.type === 'multiple') return `${quote(value)} in ${question.code}`
  if (question.type === 'single') return `${question.code} == ${quote(value)}`
  if (['text', 'longText', 'email', 'url'].includes(question.type))
    return `${question.code}.contains(${quote(value)})`
  throw new Untranslatable(`${question.code} has no choices.`)
}

const TURNED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

function compare(left: Side, sign: string, right: Side): string {
  if (!('question' in left)) {
    if (!('question' in right)) throw new Untranslatable('it compares two constants.')
    return compare(right, TURNED[sign] ?? sign, left)
  }
  const code = usable(left.question)
  if ('question' in right) return `${code} ${sign} ${usable(right.question)}`
  return `${code} ${sign} ${constantFor(left.question, right, sign)}`
}

/** A constant as our language writes it for a question. */
function constantFor(
  question: Question,
  { value, isNumber }: Extract<Side, { value: string }>,
  sign: string,
): string {
  const isEquality = sign === '==' || sign === '!='
  // An empty text means no answer in both dialects.
  if (value === '' && isEquality) return 'null'
  switch (question.type) {
    case 'number':
    case 'rating':
      if (!/^-?\d+(\.\d+)?$/.test(value)) throw new Untranslatable(`“${value}” isn't a number.`)
      return value
    case 'computed':
      return question.result === 'number' && isNumber ? value : quote(value)
    case 'boolean':
      if (!['true', 'false', 'yes', 'no'].includes(value))
        throw new Untranslatable(`“${value}” is neither yes nor no.`)
      return value === 'true' || value === 'yes' ? 'true' : 'false'
    case 'multiple':
      throw new Untranslatable(`${question.code} can have several answers.`)
    case 'date':
      if (!/^\d{4}-\d\d-\d\d$/.test(value)) throw new Untranslatable(`“${value}” isn't a date.`)
      return `date(${quote(value)})`
    default:
      if (!isEquality) throw new Untranslatable(`${question.code} can't be compared with ${sign}.`)
      return quote(value)
  }
}
