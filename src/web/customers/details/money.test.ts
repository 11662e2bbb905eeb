import { expect, test } from 'vitest'
import { formatMoney, parseMoney, typeMoney } from './money.ts'

test.for([
  ['85', 8500],
  ['85.5', 8550],
  ['$1,299.50', 129950],
  ['1.299,50', 129950],
  ['1,299 USD', 129900],
  ['1 299', 129900],
  ['.5', 50],
  ['0', 0],
  ['-5', -500],
  ['−$5.50', -550],
] as const)('%s is %i cents', ([text, cents]) => {
  expect(parseMoney(text, 'USD')).toBe(cents)
})

test.for(['', 'free', '--5', '1e3', '1,23,4', '12.345.6.7', '85 CAD', '\u20ac85'])('rejects "%s"', (text) => {
  expect(parseMoney(text, 'USD')).toBeNaN()
})

test('formats cents for input and with their currency', () => {
  expect(parseMoney(typeMoney(129950), 'USD')).toBe(129950)
  expect(formatMoney(129950, 'USD')).toMatch(/1,299\.50/)
  expect(formatMoney(100, '??')).toBe('1.00 ??')
})
