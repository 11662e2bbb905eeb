import { expect, test } from 'vitest'
import { copyName } from './copy-name.ts'

test('copies are numbered, also those of a copy, and long names stay within the limit', () => {
  expect([1, 2, 3].map((at) => copyName('Winter', at, 100))).toEqual([
    'Winter (copy)',
    'Winter (copy) 2',
    'Winter (copy) 3',
  ])
  expect(copyName('Winter (copy) 2', 3, 100)).toBe('Winter (copy) 3')
  expect(copyName('W'.repeat(100), 12, 100).length).toBeLessThanOrEqual(100)
})
