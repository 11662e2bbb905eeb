import { expect, test } from 'vitest'
import { descriptionFault, publicDescription } from './public-description.ts'

test.each([
  ['One owner. New tires.', 'One owner. New tires.', []],
  ['One owner. Only $9,999 today! New tires.', 'One owner. New tires.', ['Only $9,999 today!']],
  [
    'One owner.\n- $2,000 option package\n- 41,000 miles',
    'One owner.\n- 41,000 miles',
    ['- $2,000 option package'],
  ],
  ['MSRP of wheels $1,200', null, ['MSRP of wheels $1,200']],
  ['One owner. Only $\n9,999 today', null, ['One owner. Only $\n9,999 today']],
])('buyers see “%s” without the sentences that name an amount', (description, text, leftOut) => {
  expect(publicDescription(description)).toEqual({ text, leftOut })
  expect(descriptionFault(description) === null).toBe(leftOut.length === 0)
})

test('a vehicle may have no description', () => {
  expect(publicDescription(null)).toEqual({ text: null, leftOut: [] })
  expect(descriptionFault(null)).toBeNull()
  expect(descriptionFault(undefined)).toBeNull()
})
