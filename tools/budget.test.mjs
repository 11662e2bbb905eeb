import { expect, test } from 'vitest'
import { addUpParts, compareWithBudget, describeTime, listSlowest } from './budget.mjs'

const budget = { total: 100, parts: { checks: 20, api: 80 } }

test('the CPU seconds of the steps add up to those of their parts', () => {
  const steps = [
    { name: 'lint', part: 'checks' },
    { name: 'types', part: 'checks' },
    { name: 'API tests', part: 'api' },
  ]
  const seconds = new Map([
    ['lint', 5],
    ['types', 6],
    ['API tests', 50],
    ['runner', 1],
  ])
  expect([...addUpParts(seconds, steps)]).toEqual([
    ['checks', 11],
    ['api', 50],
    ['command', 1],
  ])
})

test('a part above its guideline is named and does not fail as long as the total is within the budget', () => {
  const parts = new Map([
    ['checks', 30],
    ['api', 60],
  ])
  const { isExceeded, lines } = compareWithBudget(parts, budget)
  expect(isExceeded).toBe(false)
  expect(lines.join('\n')).toContain('checks               30 of    20  above its guideline')
})

test('a total above the budget fails', () => {
  const { isExceeded, lines } = compareWithBudget(new Map([['api', 100.5]]), budget)
  expect(isExceeded).toBe(true)
  expect(lines.at(-1)).toContain('The CPU budget is exceeded.')
})

test('the slowest files come first', () => {
  const files = [
    { file: 'a.test.ts', seconds: 1 },
    { file: 'b.test.ts', seconds: 12.34 },
    { file: 'c.test.ts', seconds: 3 },
  ]
  expect(listSlowest(files, 2)).toEqual(['    12.3 s  b.test.ts', '     3.0 s  c.test.ts'])
})

test.for([
  [59_000, '59 s'],
  [552_000, '9 min 12 s'],
])('%d ms is %s', ([ms, text]) => {
  expect(describeTime(ms)).toBe(text)
})
