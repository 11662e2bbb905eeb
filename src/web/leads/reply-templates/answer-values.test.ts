import { expect, test } from 'vitest'
import { insertAt } from './answer-values.ts'

test('puts words at the cursor without gluing them to others', () => {
  expect(insertAt('', 'Hello', 0)).toEqual({ text: 'Hello', end: 5 })
  expect(insertAt('Hi there', 'Marcus', 2)).toEqual({ text: 'Hi Marcus there', end: 9 })
  expect(insertAt('Hi\n', 'Marcus', 3)).toEqual({ text: 'Hi\nMarcus', end: 9 })
})
