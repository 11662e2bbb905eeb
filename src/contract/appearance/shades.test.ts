import { expect, test } from 'vitest'
import { contrast } from './color.ts'
import { shadesOf } from './shades.ts'
import { neutral } from './tokens.ts'

// Known WCAG 2 values: 767676 is the lightest gray on which white is readable.
test.for([
  ['#767676', '#ffffff', 4.54],
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
  ['#ff0000', '#ffffff', 4.0],
  ['#ffff00', '#000000', 19.56],
] as const)('%s and %s have a contrast of %d to 1', ([one, other, ratio]) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2)
})

test.for(['#0b6e4f', '#ffd400', '#e30613', '#7f7f7f', '#ffffff', '#000000'])(
  '%s becomes readable and visible in both schemes',
  (brand) => {
    const shades = shadesOf(brand)
    expect(shades.map(({ scheme }) => scheme)).toEqual(['light', 'dark'])
    for (const { scheme, fill, onFill, ratio, isAsChosen } of shades) {
      expect(ratio).toBeGreaterThanOrEqual(4.5)
      expect(ratio).toBe(contrast(fill, onFill))
      expect(contrast(fill, neutral[scheme].page)).toBeGreaterThanOrEqual(3)
      expect(isAsChosen).toBe(fill === brand)
    }
  },
)

test('a color with enough contrast is kept, otherwise it changes in that scheme only', () => {
  expect(shadesOf('#0B6E4F').map(({ isAsChosen }) => isAsChosen)).toEqual([true, false])
  expect(shadesOf('#ffd400').map(({ isAsChosen }) => isAsChosen)).toEqual([false, true])
})
