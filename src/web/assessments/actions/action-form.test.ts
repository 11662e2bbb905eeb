import { expect, test } from 'vitest'
import { actionForm } from './action-form.ts'

const VALUES = {
  ...actionForm.blank,
  targetId: '3',
  title: ' Replace the burner ',
  ownerId: '7',
}

test('empty inputs are sent as nothing, and amounts in whole cents', () => {
  expect(actionForm.toInput({ ...VALUES, costCents: '1,200.5', expectedTonnes: '12.5' })).toEqual({
    targetId: '3',
    questionCode: null,
    title: ' Replace the burner ',
    note: null,
    ownerId: '7',
    dueOn: null,
    costCents: 120_050,
    expectedTonnes: '12.5',
    status: 'open',
  })
})

test('what is complete has no errors', () => {
  expect(actionForm.check({ ...VALUES, costCents: '1,200.5', expectedTonnes: '12.5' })).toEqual({})
})

test.each([
  [{ title: ' ' }, 'title'],
  [{ costCents: '12.345' }, 'costCents'],
  [{ costCents: '-5' }, 'costCents'],
  [{ costCents: 'about 5' }, 'costCents'],
  [{ expectedTonnes: 'many' }, 'expectedTonnes'],
])('%o is refused at %s', (change, field) => {
  expect(Object.keys(actionForm.check({ ...VALUES, ...change }))).toEqual([field])
})
