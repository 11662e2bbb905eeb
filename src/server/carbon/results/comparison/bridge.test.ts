import { expect, test } from 'vitest'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { bridge, type Places, type Side } from './bridge.ts'

const figure = (digits: string | number) => new Figure(digits)
const BOTH: Places = { isInBefore: true, isInAfter: true, isCounterpart: false }

/** Energy at so many kg a unit, of which a share counts. */
function side(quantity: number, perUnit: string, more: Partial<Side> & { share?: number } = {}): Side {
  const { share = 1, ...rest } = more
  const kg = figure(quantity).times(perUnit).times(share)
  return {
    kg,
    imported: figure(0),
    isMeasured: false,
    quantities: new Map([['energy', { full: figure(quantity), counted: figure(quantity).times(share) }]]),
    amounts: new Map([['energy', figure(quantity).times(share)]]),
    reweighed: kg,
    ...rest,
  }
}
const told = (before: Side | null, after: Side | null, places = BOTH) => {
  const { boundary, activity, method, factor } = bridge(before, after, places)
  return [boundary, activity, method, factor].map(plain)
}

test('more of the same is activity, the same at another figure is the factor', () => {
  expect(told(side(100, '2'), side(150, '2'))).toEqual(['0', '100', '0', '0'])
  expect(told(side(100, '2'), side(100, '3'))).toEqual(['0', '0', '0', '100'])
})

test('a facility that counts more is boundary, at what was used and weighed before', () => {
  expect(told(side(100, '2', { share: 0.5 }), side(200, '3'))).toEqual(['100', '200', '0', '200'])
})

test('another report of the IPCC is method, and what remains is the factor', () => {
  const before = side(100, '2', { reweighed: figure(220) })
  expect(told(before, side(100, '2.5'))).toEqual(['0', '0', '20', '30'])
})

test('a line that is new is activity where its facility was there, and boundary where it came', () => {
  expect(told(null, side(10, '2'))).toEqual(['0', '20', '0', '0'])
  expect(told(null, side(10, '2'), { ...BOTH, isInBefore: false })).toEqual(['20', '0', '0', '0'])
  expect(told(side(10, '2'), null, { ...BOTH, isInAfter: false })).toEqual(['-20', '0', '0', '0'])
  // The activity is in both, and what goes with it is asked for by one inventory alone.
  expect(told(null, side(10, '2'), { ...BOTH, isCounterpart: true })).toEqual(['20', '0', '0', '0'])
})

test('of imported totals, and of what was measured once, nothing is told apart', () => {
  expect(told(side(0, '1', { kg: figure(70), imported: figure(70) }), side(100, '1'))).toEqual([
    '0',
    '0',
    '30',
    '0',
  ])
  const measured = { isMeasured: true, quantities: new Map(), amounts: new Map() }
  expect(told(side(10, '2', measured), side(100, '1'))).toEqual(['0', '0', '80', '0'])
  expect(told(side(10, '2', measured), side(10, '3', measured))).toEqual(['0', '10', '0', '0'])
})

test('bills in another dimension are compared by what the factor counts, else not at all', () => {
  const volume = { quantities: new Map([['volume', { full: figure(50), counted: figure(50) }]]) }
  expect(told(side(100, '2'), { ...side(120, '2'), ...volume })).toEqual(['0', '40', '0', '0'])
  const apart = { ...volume, amounts: new Map([['volume', figure(50)]]) }
  expect(told(side(100, '2'), { ...side(120, '2'), ...apart })).toEqual(['0', '0', '40', '0'])
})

test('what nothing was used of, and what nothing counted of, divides by nothing', () => {
  expect(told(side(0, '2'), side(10, '2'))).toEqual(['0', '20', '0', '0'])
  expect(told(side(10, '2', { share: 0 }), side(10, '2'))).toEqual(['20', '0', '0', '0'])
  expect(told(side(10, '0'), side(20, '3'))).toEqual(['0', '0', '0', '60'])
})

test('whatever two sides say, the effects add up to the difference exactly', () => {
  let seed = 7
  const next = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  for (let at = 0; at < 500; at += 1) {
    const one = side(Math.round(next() * 1e6), String(next()), { share: Math.round(next() * 100) / 100 })
    const other = side(Math.round(next() * 1e6), String(next()), { share: Math.round(next() * 100) / 100 })
    const { boundary, activity, method, factor } = bridge(
      { ...one, reweighed: one.kg.times(next()) },
      other,
      BOTH,
    )
    const sum = boundary.plus(activity).plus(method).plus(factor)
    expect(plain(sum)).toBe(plain(other.kg.minus(one.kg)))
  }
})
