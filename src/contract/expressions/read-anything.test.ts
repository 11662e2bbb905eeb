import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyRule, VARIABLES } from '#test/factories/lists/any-rule.ts'
import { readRule } from './read.ts'

function problemOf(text: string): [message: string, place: string] | null {
  const read = readRule(text, VARIABLES)
  return read.ok ? null : [read.problem.message, text.slice(read.problem.from, read.problem.to)]
}

const repeated = (count: number, text: string, between = '') =>
  Array.from({ length: count }, () => text).join(between)

test.for([
  ['characters', `year == ${repeated(2_000, '1')}`, 'A rule can have at most 2000 characters.', '11111111'],
  ['values', `year in [${repeated(201, '1', ',')}]`, 'A list can have at most 200 values.', ''],
  [
    'brackets',
    `${repeated(40, '(')}isPublic${repeated(40, ')')}`,
    'The rule is nested too deeply: at most 32 levels.',
    '',
  ],
  [
    'signs',
    `${repeated(40, '!')}isPublic`,
    'The rule is nested too deeply: at most 32 levels.',
    '!!!!!!!isPublic',
  ],
  ['comparisons', repeated(101, 'year == 1', '||'), 'A rule can have at most 100 comparisons.', 'year == 1'],
  [
    'sums',
    `(${repeated(26, '1', ' + ')}) + (${repeated(26, '1', '+')}) > 1`,
    'A rule can have at most 50 calculations.',
    '1+1',
  ],
] as const)('rejects too many %s', ([, text, message, place]) => {
  expect(problemOf(text)).toEqual([message, place])
})

test('accepts the maximum', () => {
  for (const text of [
    repeated(100, 'year==1', '||'),
    `${repeated(31, '1', ' + ')} > 1`,
    `year in [${repeated(200, '1', ',')}]`,
    `name == "${repeated(1_990, 'a')}"`,
  ]) {
    expect(problemOf(text)).toBeNull()
  }
})

const pieces = fc.oneof(
  fc.constantFrom(
    ...Object.keys(VARIABLES),
    ...Array.from('()[]{}!<>=&|?:.,+-*/%"\'\\'),
    ' ',
    '\n',
    '&&',
    '||',
    '==',
    'in',
    'null',
  ),
  fc.constantFrom(
    '1',
    '2.5',
    '"a"',
    '"',
    'date(',
    'size(',
    '.contains(',
    '//',
    'r"',
    '"""',
    'true',
    '\u{1f600}',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

test('any text gives a rule, or a message with a position inside the text', () => {
  const written = fc.oneof(
    fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join('')),
    // A rule with a piece removed or duplicated.
    fc
      .tuple(anyRule, fc.nat(100), fc.nat(5), pieces)
      .map(([rule, at, length, piece]) => rule.slice(0, at) + piece + rule.slice(at + length)),
  )
  fc.assert(
    fc.property(written, (text) => {
      const read = readRule(text, VARIABLES)
      if (read.ok) return
      const { message, from, to } = read.problem
      expect(message).toMatch(/^\S.*[.?]$/s)
      expect([from >= 0, from <= to, to <= text.length]).toEqual([true, true, true])
    }),
    { numRuns: 3_000 },
  )
})
