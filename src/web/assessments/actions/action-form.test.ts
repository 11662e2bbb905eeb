import { expect, test } from 'vitest'
import { readValues } from './action-form.ts'

const VALUES = {
  title: ' Replace the burner ',
  note: '',
  ownerId: '7',
  dueOn: '',
  cost: '',
  tonnes: '',
  status: 'open' as const,
}

test('empty inputs are sent as nothing, and amounts in whole cents', () => {
  expect(readValues({ ...VALUES, cost: '1,200.5', tonnes: '12.5' })).toEqual({
    input: {
      title: 'Replace the burner',
      note: null,
      ownerId: '7',
      dueOn: null,
      costCents: 120_050,
      expectedTonnes: '12.5',
      status: 'open',
    },
  })
})

test.each([
  [{ title: ' ' }, 'title'],
  [{ cost: '12.345' }, 'costCents'],
  [{ cost: '-5' }, 'costCents'],
  [{ cost: 'about 5' }, 'costCents'],
  [{ tonnes: 'many' }, 'expectedTonnes'],
])('%o is refused at %s', (change, field) => {
  const read = readValues({ ...VALUES, ...change })
  expect('wrong' in read && Object.keys(read.wrong)).toEqual([field])
})
