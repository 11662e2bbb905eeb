import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js'
import { RuleError } from './rule-error.ts'

export const MAX_DEPTH = 32
export const MAX_LIST = 200

const grammar = new Environment({
  limits: { maxAstNodes: 3_000, maxDepth: MAX_DEPTH, maxListElements: MAX_LIST, maxCallArguments: 8 },
})

/** Parses the text into its syntax tree, without checking types. @throws RuleError with a message for users. */
export function parse(text: string): ASTNode {
  try {
    return grammar.parse(text).ast
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    const from = Math.min(error.range?.start ?? 0, text.length)
    // The parser counts UTF-16 units beyond U+FFFF.
    const whole = from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 0)
    const to = Math.min(Math.max(error.range?.end ?? from, whole), text.length)
    throw new RuleError(sentence(error, text, from, text.slice(from, to)), { from, to })
  }
}

function sentence(error: ParseError, text: string, from: number, word: string): string {
  const escape = 'Write a quote inside text as \\" and a backslash as \\\\.'
  switch (error.code) {
    case 'unterminated_string':
    case 'unterminated_triple_quoted_string':
      return `This text has no closing quote. ${escape}`
    case 'newline_in_string':
      return 'Text in quotes must end on the same line. Write a line break inside text as \\n.'
    case 'invalid_escape_sequence':
    case 'invalid_unicode_escape':
    case 'invalid_unicode_surrogate':
    case 'invalid_hex_escape':
    case 'invalid_octal_escape':
    case 'octal_escape_out_of_range':
      return `${word} isn't a valid character. ${escape}`
    case 'reserved_identifier':
      return `${word} is a reserved word and can't be a field name.`
    case 'invalid_number':
    case 'invalid_integer':
    case 'invalid_hex_integer':
    case 'invalid_exponent':
      return "This isn't a number. Write plain digits, like 1500 or 0.25."
    case 'limit_exceeded':
      return limitSentence(error.summary)
    default:
      return unexpected(text, from, word)
  }
}

function limitSentence(summary: string): string {
  if (summary.includes('maxListElements')) return `A list can have at most ${MAX_LIST} values.`
  if (summary.includes('maxDepth')) return `The rule is nested too deeply: at most ${MAX_DEPTH} levels.`
  return 'The rule is too long.'
}

const HINTS = new Map([
  ['=', 'Use == to compare.'],
  ['&', 'Use && for "and".'],
  ['|', 'Use || for "or".'],
  [';', 'Connect conditions with && or ||.'],
  ['“', 'Use straight quotes: ".'],
  ['”', 'Use straight quotes: ".'],
  ['„', 'Use straight quotes: ".'],
  ['‘', 'Use straight quotes: ".'],
  ['’', 'Use straight quotes: ".'],
  ['.', 'Write a 0 before the decimal point: 0.5.'],
])

/** Words from other languages, found between two values. */
const WORDS = new Map([
  ['and', 'Use && for "and".'],
  ['or', 'Use || for "or".'],
  ['not', 'Use ! for "not".'],
  ['is', 'Use == to compare.'],
  ['contains', 'Write it after a dot: make.contains("ord").'],
])

function unexpected(text: string, from: number, word: string): string {
  if (from >= text.length) return 'The rule is incomplete.'
  const name = /^[A-Za-z_]\w*/.exec(text.slice(from))?.[0]
  const before = /\w+(?=\s+$)/.exec(text.slice(0, from))?.[0]
  const hint =
    HINTS.get(text.charAt(from)) ??
    WORDS.get(name?.toLowerCase() ?? '') ??
    WORDS.get(before?.toLowerCase() ?? '')
  const what = name ?? word
  if (/^[\s\p{C}]$/u.test(word)) return "There's an invisible character here. Delete it."
  return `Unexpected ${what === '' ? text.charAt(from) : what} here.${hint === undefined ? '' : ` ${hint}`}`
}
