import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BulkPrice,
  calculatePrice,
  decidePrice,
  describeBulkPrice,
  PRICE_ENDINGS,
  ROUNDING_DIRECTIONS,
} from './bulk-prices.ts'

const change = (input: Parameters<typeof BulkPrice.parse>[0]) => BulkPrice.parse(input)
const at = (priceCents: number, input: object) => calculatePrice(priceCents, change(input))

test('half a cent and half a step are rounded away from zero, once, from the exact result', () => {
  expect(at(10_050, { action: 'raise', percent: 0.5 })).toBe(10_100)
  expect(at(101, { action: 'lower', percent: 50 })).toBe(51)
  expect(at(101, { action: 'raise', percent: 50 })).toBe(152)
  expect(at(2_000_250, { action: 'lower', cents: 200, ending: '1' })).toBe(2_000_100)
  expect(at(2_000_250, { action: 'lower', cents: 200, ending: '1', direction: 'down' })).toBe(2_000_000)
  // 9,999.5 cents would be 10,000 when rounded to the cent first, and then 10,100 or 20,000 in steps.
  expect(at(19_999, { action: 'lower', percent: 50, ending: '100' })).toBe(10_000)
  expect(at(29_999, { action: 'lower', percent: 50, ending: '100' })).toBe(10_000)
  expect(at(30_000, { action: 'lower', percent: 50, ending: '100' })).toBe(20_000)
})

test('endings are those of whole amounts, to the nearest, down and up', () => {
  const of = (direction: string, ending = 'ends-99') =>
    at(2_138_500, { action: 'lower', cents: 1_000, ending, direction })
  expect([of('nearest'), of('down'), of('up')]).toEqual([2_139_900, 2_129_900, 2_139_900])
  expect([of('nearest', 'ends-95'), of('down', '50'), of('up', '10')]).toEqual([
    2_139_500, 2_135_000, 2_138_000,
  ])
})

test('a price never becomes zero, and never moves the other way', () => {
  const decide = (priceCents: number | null, input: object, more = {}) =>
    decidePrice({ priceCents, isSold: false, isFixed: false, ...more }, change(input), { minCents: 50_000 })
  const lower = { action: 'lower', cents: 1_000_000 }
  expect([
    decide(null, lower),
    decide(0, lower),
    decide(1_000_000, lower),
    decide(900_000, lower),
    decide(1_040_000, lower),
    decide(2_000_000, lower, { isSold: true }),
    decide(2_000_000, lower, { isFixed: true }),
    decide(2_138_900, { action: 'lower', cents: 500, ending: 'ends-99' }),
    decide(2_139_900, { action: 'lower', cents: 500, ending: 'ends-99' }),
    decide(100_000_000_000, { action: 'raise', percent: 100 }),
    decide(2_000_000, { action: 'set', cents: 2_000_000 }),
  ]).toEqual(
    ['blank', 'blank', 'zero', 'zero', 'lowest', 'sold', 'fixed', 'rounding', 'same', 'highest', 'same'].map(
      (reason) => ({ reason }),
    ),
  )
  expect([
    decide(null, { action: 'set', cents: 2_000_000 }),
    // Closer to the lowest price than before.
    decide(30_000, { action: 'raise', cents: 5_000 }),
    decide(2_000_000, { action: 'lower', percent: 2, ending: 'ends-99' }),
  ]).toEqual([{ cents: 2_000_000 }, { cents: 35_000 }, { cents: 1_959_900 }])
})

test('every result is the nearest, next lower or next higher price of its ending', () => {
  const any = fc.record({
    price: fc.integer({ min: 1, max: 10_000_000_000 }),
    action: fc.constantFrom('lower', 'raise'),
    hundredths: fc.integer({ min: 1, max: 10_000 }),
    ending: fc.constantFrom(...PRICE_ENDINGS),
    direction: fc.constantFrom(...ROUNDING_DIRECTIONS.map(({ value }) => value)),
  })
  fc.assert(
    fc.property(any, ({ price, action, hundredths, ending, direction }) => {
      const input = { action, percent: hundredths / 100, ending: ending.value, direction }
      const result = at(price, input)
      // In ten-thousandths of a cent.
      const exact = price * (action === 'raise' ? 10_000 + hundredths : 10_000 - hundredths)
      const away = result * 10_000 - exact
      const step = ending.stepCents * 10_000
      expect(Math.abs((result - ending.endCents) % ending.stepCents)).toBe(0)
      const allowed = {
        nearest: away <= step / 2 && away > -step / 2,
        down: away <= 0 && away > -step,
        up: away >= 0 && away < step,
      }
      expect(allowed[direction]).toBe(true)
    }),
  )
})

test('a change is an amount or a percentage, and described in words', () => {
  for (const wrong of [
    { action: 'lower' },
    { action: 'lower', cents: 100, percent: 2 },
    { action: 'set', percent: 2 },
    { action: 'set', cents: 100, ending: '5' },
    { action: 'lower', cents: 0 },
    { action: 'lower', percent: 0.001 },
    { action: 'raise', percent: 101 },
  ])
    expect(BulkPrice.safeParse(wrong).success).toBe(false)
  const words = (input: object) => describeBulkPrice(change(input), '86 vehicles', 'USD')
  expect(words({ action: 'lower', percent: 2, ending: 'ends-99', direction: 'down' })).toBe(
    'Lower the price of 86 vehicles by 2%, rounded down to prices ending in 99',
  )
  expect(words({ action: 'raise', cents: 25_000, ending: '5' })).toBe(
    'Raise the price of 86 vehicles by $250, rounded to multiples of 5',
  )
  expect(words({ action: 'set', cents: 1_999_550 })).toBe('Set the price of 86 vehicles to $19,995.50')
})
