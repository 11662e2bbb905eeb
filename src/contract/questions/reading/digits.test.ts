import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Exact } from '../../expressions/exact.ts'
import { compareDigits, placesOf, sumDigits, withoutZeros } from './digits.ts'

const anyDigits = fc
  .tuple(fc.boolean(), fc.stringMatching(/^\d{1,15}$/), fc.option(fc.stringMatching(/^\d{1,10}$/)))
  .map(
    ([isNegative, whole, places]) => `${isNegative ? '-' : ''}${whole}${places === null ? '' : `.${places}`}`,
  )
const tidy = (number: Exact) => (number.isZero() ? '0' : number.toFixed())

test('digits are tidied, compared and added like decimals', () => {
  fc.assert(
    fc.property(fc.array(anyDigits, { minLength: 1, maxLength: 20 }), (all) => {
      const numbers = all.map((one) => new Exact(one))
      const first = all[0] ?? ''
      const last = all.at(-1) ?? ''
      expect(all.map(withoutZeros)).toEqual(numbers.map(tidy))
      expect(all.map((one) => placesOf(withoutZeros(one)))).toEqual(numbers.map((one) => one.decimalPlaces()))
      // Of -0 and 0 the difference may be -0.
      expect(Math.sign(compareDigits(first, last)) + 0).toBe(new Exact(first).comparedTo(last))
      expect(sumDigits(all)).toBe(tidy(numbers.reduce((sum, one) => sum.plus(one))))
    }),
    { numRuns: 1_000 },
  )
})

test('nothing has no sum', () => {
  expect(sumDigits([])).toBeNull()
})
