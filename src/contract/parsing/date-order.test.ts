import { expect, test } from 'vitest'
import { dateOrderOf, needsDateOrder } from './date-order.ts'

test.each([
  [['03/11/2025', '05/11/2025'], null, '03/11/2025', null],
  [['03/11/2025', '13/11/2025'], 'dmy', '03/11/2025', '13/11/2025'],
  [['3.11.25', '11-13-25'], 'mdy', '3.11.25', '11-13-25'],
  [['13/11/2025', '11/13/2025'], null, null, null],
  [['05/05/2025', '2025-03-11', '12.5', '03/11/20256', ''], null, null, null],
] as const)('%j prove the order %s, and %s is not clear by itself', (texts, order, ambiguous, proof) => {
  expect(dateOrderOf(texts)).toEqual({ order, ambiguous, proof })
})

test('ISO dates and dates that are the same in both orders need no order', () => {
  expect(['03/11/2025', '13/11/2025', '05/05/2025', '2025-11-03'].map(needsDateOrder)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
