import { expect, test } from 'vitest'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { bridge, type Places, type Side } from './bridge.ts'

const figure = (digits: string | number) => new Figure(digits)
const BOTH: Places = { isInBefore: true, isInAfter: true, isCounterpart: false }

/** Energy with the given kg CO2e per unit, of which a share counts. */
function side(quantity: number, perUnit: string, more: Partial<Side> & { share?: number } = {}): Side {
  const { share = 1, ...rest } = more
  const kg = figure(quantity).times(perUnit).times(share)
  return {
    kg,
    imported: figure(0),
    isMeasured: false,
    quantities: new Map([['energy', { full: figure(quantity), counted: figure(quantity).times(share) }]]),
    amounts: new Map([['energy', figure(quantity).times(share)]]),
    withOtherGwp: kg,
    ...rest,
  }
}
const effectsOf = (before: Side | null, after: Side | null, places = BOTH) => {
  const { boundary, activity, method, factor } = bridge(before, after, places)
  return [boundary, activity, method, factor].map(plain)
}

test('a higher quantity is activity, another factor for the same quantity is factor', () => {
  expect(effectsOf(side(100, '2'), side(150, '2'))).toEqual(['0', '100', '0', '0'])
  expect(effectsOf(side(100, '2'), side(100, '3'))).toEqual(['0', '0', '0', '100'])
})

test('a higher inclusion is boundary, at the former quantity and factor', () => {
  expect(effectsOf(side(100, '2', { share: 0.5 }), side(200, '3'))).toEqual(['100', '200', '0', '200'])
})

test('another GWP set is method, and the rest is factor', () => {
  const before = side(100, '2', { withOtherGwp: figure(220) })
  expect(effectsOf(before, side(100, '2.5'))).toEqual(['0', '0', '20', '30'])
})

test('a new source is activity in an existing facility, and boundary in a new one', () => {
  expect(effectsOf(null, side(10, '2'))).toEqual(['0', '20', '0', '0'])
  expect(effectsOf(null, side(10, '2'), { ...BOTH, isInBefore: false })).toEqual(['20', '0', '0', '0'])
  expect(effectsOf(side(10, '2'), null, { ...BOTH, isInAfter: false })).toEqual(['-20', '0', '0', '0'])
  // Both have the activity, but only one inventory includes its upstream emissions.
  expect(effectsOf(null, side(10, '2'), { ...BOTH, isCounterpart: true })).toEqual(['20', '0', '0', '0'])
})

test('imported totals and measured emissions on one side are not split', () => {
  expect(effectsOf(side(0, '1', { kg: figure(70), imported: figure(70) }), side(100, '1'))).toEqual([
    '0',
    '0',
    '30',
    '0',
  ])
  const measured = { isMeasured: true, quantities: new Map(), amounts: new Map() }
  expect(effectsOf(side(10, '2', measured), side(100, '1'))).toEqual(['0', '0', '80', '0'])
  expect(effectsOf(side(10, '2', measured), side(10, '3', measured))).toEqual(['0', '10', '0', '0'])
})

test('bills in different dimensions are compared in the unit of the factor, if it is the same', () => {
  const volume = { quantities: new Map([['volume', { full: figure(50), counted: figure(50) }]]) }
  expect(effectsOf(side(100, '2'), { ...side(120, '2'), ...volume })).toEqual(['0', '40', '0', '0'])
  const apart = { ...volume, amounts: new Map([['volume', figure(50)]]) }
  expect(effectsOf(side(100, '2'), { ...side(120, '2'), ...apart })).toEqual(['0', '0', '40', '0'])
})

test('does not divide by a quantity or an inclusion of zero', () => {
  expect(effectsOf(side(0, '2'), side(10, '2'))).toEqual(['0', '20', '0', '0'])
  expect(effectsOf(side(10, '2', { share: 0 }), side(10, '2'))).toEqual(['20', '0', '0', '0'])
  expect(effectsOf(side(10, '0'), side(20, '3'))).toEqual(['0', '0', '0', '60'])
})

test('the effects always add up exactly to the difference', () => {
  let seed = 7
  const next = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  for (let at = 0; at < 500; at += 1) {
    const one = side(Math.round(next() * 1e6), String(next()), { share: Math.round(next() * 100) / 100 })
    const other = side(Math.round(next() * 1e6), String(next()), { share: Math.round(next() * 100) / 100 })
    const { boundary, activity, method, factor } = bridge(
      { ...one, withOtherGwp: one.kg.times(next()) },
      other,
      BOTH,
    )
    const sum = boundary.plus(activity).plus(method).plus(factor)
    expect(plain(sum)).toBe(plain(other.kg.minus(one.kg)))
  }
})
