import { expect, test } from 'vitest'
import { coversPostalCode, isBetween, whyNot } from './match-rule.ts'
import { plainFacts, plainRule } from './plain-rule.ts'

test.each([
  ['958*', '95821', true],
  ['95821', '95821-1234', true],
  ['95822', '95821-1234', false],
  ['95821*', '95821-1234', true],
  ['k1a 0b1', 'K1A0B1', true],
  ['*', '', true],
])('the postal code %s covers %s: %s', (pattern, code, isCovered) => {
  expect(coversPostalCode(pattern, code)).toBe(isCovered)
})

test.each([
  ['12:00', '09:00', '18:00', true],
  ['18:00', '09:00', '18:00', false],
  ['23:30', '18:00', '09:00', true],
  ['08:59', '18:00', '09:00', true],
  ['09:00', '18:00', '09:00', false],
])('%s is between %s and %s: %s', (time, from, until, isInside) => {
  expect(isBetween(time, from, until)).toBe(isInside)
})

test('a condition about something unknown is not met, and says so', () => {
  expect(whyNot(plainRule({ makes: ['Ford'] }), plainFacts())).toBe('no make is given')
  expect(whyNot(plainRule({ priceToCents: 100 }), plainFacts())).toBe('the price is unknown')
  expect(whyNot(plainRule({ hours: 'open' }), plainFacts())).toBe('the lot has no opening hours')
  expect(whyNot(plainRule({ hours: 'closed' }), plainFacts({ opening: 'open' }))).toBe('the lot was open')
})

test('the filter sees the fields of the lead', () => {
  const rule = plainRule({ condition: 'year >= 2020 && comments.contains("finance")' })
  const values = { year: 2022, comments: 'Can I FINANCE it?' }
  expect(whyNot(rule, plainFacts({ values }))).toBeNull()
  expect(whyNot(rule, plainFacts({ values: { year: 2022 } }))).toBe('its filter is not met')
  expect(whyNot(plainRule({ condition: 'nothing ==' }), plainFacts())).toBe('its filter is not valid')
})
