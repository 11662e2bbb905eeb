import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js'
import { Unreadable } from './unreadable.ts'

export const MAX_DEPTH = 32
export const MAX_LIST = 200

const grammar = new Environment({
  limits: { maxAstNodes: 3_000, maxDepth: MAX_DEPTH, maxListElements: MAX_LIST, maxCallArguments: 8 },
})

/** The text as a tree of its grammar. Says nothing about its sense. @throws Unreadable with a plain sentence. */
export function parse(text: string): ASTNode {
  try {
    return grammar.parse(text).ast
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    const from = Math.min(error.range?.start ?? 0, text.length)
    // The parser counts halves of characters beyond the first 65,536.
    const whole = from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 0)
    const to = Math.min(Math.max(error.range?.end ?? from, whole), text.length)
    throw new Unreadable(sentence(error, text, from, text.slice(from, to)), { from, to })
  }
}

function sentence(error: ParseError, text: string, from: number, word: string): string {
  const escape = 'Write a quote inside text as \\" and a backslash as \\\\.'
  switch (error.code) {
    case 'unterminated_string':
    case 'unterminated_triple_quoted_string':
      return `The text that begins here has no closing quote. ${escape}`
    case 'newline_in_string':
      return 'Text in quotes ends on its line. Write a new line inside text as \\n.'
    case 'invalid_escape_sequence':
    case 'invalid_unicode_escape':
    case 'invalid_unicode_surrogate':
    case 'invalid_hex_escape':
    case 'invalid_octal_escape':
    case 'octal_escape_out_of_range':
      return `${word} is no character. ${escape}`
    case 'reserved_identifier':
      return `The word ${word} is reserved and names no field.`
    case 'invalid_number':
    case 'invalid_integer':
    case 'invalid_hex_integer':
    case 'invalid_exponent':
      return 'This is no number. Write plain digits, like 1500 or 0.25.'
    case 'limit_exceeded':
      return limitSentence(error.summary)
    default:
      return unexpected(text, from, word)
  }
}

function limitSentence(summary: string): string {
  if (summary.includes('maxListElements')) return `A list may have at most ${MAX_LIST} values.`
  if (summary.includes('maxDepth')) return `The rule is nested too deeply: at most ${MAX_DEPTH} levels.`
  return 'The rule is too long.'
}

const HINTS = new Map([
  ['=', 'Write == to compare.'],
  ['&', 'Write && for "and".'],
  ['|', 'Write || for "or".'],
  [';', 'Connect conditions with && or ||.'],
  ['“', 'Use straight quotes: ".'],
  ['”', 'Use straight quotes: ".'],
  ['„', 'Use straight quotes: ".'],
  ['‘', 'Use straight quotes: ".'],
  ['’', 'Use straight quotes: ".'],
  ['.', 'Write a 0 before the point: 0.5.'],
])

/** Words of other languages, where two values stand side by side. */
const WORDS = new Map([
  ['and', 'Write && for "and".'],
  ['or', 'Write || for "or".'],
  ['not', 'Write ! for "not".'],
  ['is', 'Write == to compare.'],
  ['contains', 'Write it behind a point: make.contains("ord").'],
])

function unexpected(text: string, from: number, word: string): string {
  if (from >= text.length) return 'Something is missing at the end.'
  const said = /^[A-Za-z_]\w*/.exec(text.slice(from))?.[0]
  const before = /\w+(?=\s+$)/.exec(text.slice(0, from))?.[0]
  const hint =
    HINTS.get(text.charAt(from)) ??
    WORDS.get(said?.toLowerCase() ?? '') ??
    WORDS.get(before?.toLowerCase() ?? '')
  const what = said ?? word
  if (/^[\s\p{C}]$/u.test(word)) return 'An invisible character stands here: delete it.'
  return `${what === '' ? text.charAt(from) : what} does not fit here.${hint === undefined ? '' : ` ${hint}`}`
}
