import { expect, test } from 'vitest'
import type { LocaleFormat } from './locale-format.ts'
import { amountInCents, otherCurrency, parseAmount } from './parse-amount.ts'

const english: LocaleFormat = { decimal: '.', order: 'mdy', locale: 'en' }
const german: LocaleFormat = { decimal: ',', order: 'dmy', locale: 'de' }

test.each([
  ['$21,000', 'USD', '21000'],
  ['$ 21000.00', 'USD', '21000.00'],
  ['$21000', 'USD', '21000'],
  ['21000 USD', 'USD', '21000'],
  ['USD 21,000.50', 'USD', '21000.50'],
  ['US$21,000', 'USD', '21000'],
  ['$21,000 USD', 'USD', '21000'],
  ['21,000', 'USD', '21000'],
  ['21,000.00', 'USD', '21000.00'],
  ['21000.0000', 'USD', '21000.00'],
  ['CA$ 18,500', 'CAD', '18500'],
  ['$18,500', 'CAD', '18500'],
  ['\u20ac1.299,50', 'EUR', '1299.50'],
  ['45 755,50', 'USD', '45755.50'],
])('%s is accepted in %s', (text, currency, value) => {
  expect(parseAmount(text, english, currency)).toEqual({ value })
})

test.each([
  ['21000 CAD', 'USD', 'another currency (CAD). Enter the amount in USD.'],
  ['C$21,000', 'USD', 'another currency (C$)'],
  ['\u20ac21,000', 'USD', 'another currency'],
  ['$21,000', 'EUR', 'another currency ($). Enter the amount in EUR.'],
  ['$21,000 CAD', 'USD', 'another currency (CAD)'],
  ['$1.2345', 'USD', 'fractions of a cent'],
  ['-$500', 'USD', 'below 0'],
  ['$1,23,4', 'USD', '"$1,23,4" isn\'t a number'],
  ['call us', 'USD', "isn't a number"],
  ['$', 'USD', "isn't a number"],
])('%s is rejected in %s with the reason', (text, currency, words) => {
  expect(parseAmount(text, english, currency)).toEqual({ refusal: expect.stringContaining(words) })
})

test('the decimal sign follows the locale, with or without a currency', () => {
  expect(amountInCents('21.000,50 \u20ac', german, 'EUR')).toBe(2_100_050)
  expect(amountInCents('$1,299.5', english, 'USD')).toBe(129_950)
  expect(amountInCents('free', english, 'USD')).toBeNaN()
})

test('a number without a currency names no other currency', () => {
  expect(otherCurrency('21,000 mi', 'USD')).toBeNull()
  expect(otherCurrency('USD 5', 'USD')).toBeNull()
})
