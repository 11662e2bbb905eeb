import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyRule, VARIABLES } from '#test/factories/lists/any-rule.ts'
import { completionsAt } from './complete.ts'

/** `^` is the cursor position. */
function complete(marked: string): { before: string; labels: string[] } {
  const at = marked.indexOf('^')
  const { from, options } = completionsAt(marked.replace('^', ''), at, VARIABLES)
  return { before: marked.slice(0, from), labels: options.map(({ label }) => label) }
}

const STATUSES = ['"live"', '"sold"', '"on hold"', 'null']

test.for([
  ['pri^', '', ['price']],
  // Also by the title on the screen.
  ['form^', '', ['former']],
  ['isPublic && ye^', 'isPublic && ', ['year']],
  ['status ^', 'status ', ['==', '!=', 'in']],
  ['year ^', 'year ', ['==', '!=', '<', '<=', '>', '>=', 'in']],
  ['name ^', 'name ', ['==', '!=', 'in', '.contains', '.startsWith', '.endsWith']],
  ['isPublic ^', 'isPublic ', ['&&', '||']],
  ['name.^', 'name.', ['contains', 'startsWith', 'endsWith']],
  ['name.st^', 'name.', ['startsWith']],
  ['status == ^', 'status == ', STATUSES],
  ['status == "^', 'status == "', ['live', 'sold', 'on hold']],
  ["status != 'o^", "status != '", ['on hold']],
  ['status in [^', 'status in [', STATUSES],
  ['status in ["live", "s^', 'status in ["live", "', ['sold']],
  ['status == "live" ^', 'status == "live" ', ['&&', '||']],
  ['year > 3 ^', 'year > 3 ', ['&&', '||']],
  ['year > views ^', 'year > views ', ['&&', '||']],
  ['"Ford" in makes ^', '"Ford" in makes ', ['&&', '||']],
  [
    'came >= ^',
    'came >= ',
    ['today()', 'daysAgo()', 'date()', 'timestamp()', 'now()', 'left', 'seen', 'changed', 'null'],
  ],
  ['price > ^', 'price > ', ['year', 'views', 'ratio', 'share', 'cost', 'null']],
  ['lot == ^', 'lot == ', ['former', 'null']],
  ['name == "a^', 'name == "', []],
  ['name == "a"^', 'name == "a"', []],
  ['year > 20^', 'year > 20', []],
] as const)('%s', ([marked, before, labels]) => {
  expect(complete(marked)).toEqual({ before, labels })
})

test('an empty rule suggests all fields and functions', () => {
  const calls = ['today()', 'daysAgo()', 'date()', 'timestamp()', 'now()', 'size()']
  expect(complete('^').labels).toEqual([...Object.keys(VARIABLES), ...calls])
})

test('the closing quote is not duplicated', () => {
  const insert = (text: string, at: number) => completionsAt(text, at, VARIABLES).options[0]?.insert
  expect(insert('status == "', 11)).toBe('live"')
  expect(insert('status == ""', 11)).toBe('live')
})

test('completion works at any position of any rule', () => {
  fc.assert(
    fc.property(anyRule, fc.nat(200), (text, at) => {
      const { from } = completionsAt(text, Math.min(at, text.length), VARIABLES)
      expect(from).toBeLessThanOrEqual(Math.min(at, text.length))
    }),
    { numRuns: 1_000 },
  )
})
