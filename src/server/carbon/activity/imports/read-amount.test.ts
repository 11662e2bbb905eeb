import { expect, test } from 'vitest'
import { readAmount, splitAmount } from './read-amount.ts'

const english = { decimal: '.', order: 'mdy', locale: 'en' } as const

test.each([
  ['1,234 kWh', '1234', 'kWh'],
  ['12.5m3', '12.5', 'm3'],
  ['(200)', '-200', null],
  ['$ (12.50)', '-12.50', null],
  ['200-', '-200', null],
  ['-200', '-200', null],
  ['35.20 CR', '-35.20', null],
  ['€ 1.299,50', '1299.50', null],
])('%s is %s', (text, value, unit) => {
  expect(readAmount(text, english)).toEqual({ value, unit })
})

test.each(['1O00', 'call', '12/2025', '1.2.3', '', '-'])('“%s” is no number', (text) => {
  expect(readAmount(text, english)).toHaveProperty('refusal')
})

test('a sign behind the number and parentheses are below 0', () => {
  expect(splitAmount('(1,500)')).toEqual({ number: '1,500', isNegative: true, unit: null })
})
