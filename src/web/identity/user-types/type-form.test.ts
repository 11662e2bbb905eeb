import { expect, test } from 'vitest'
import { checkType, findParents, toInput, whyFixedReach } from './type-form.ts'

const choice = (id: string, parentId: string | null) => ({
  id,
  name: id,
  parentId,
  reach: 'organization' as const,
  people: 0,
  lock: null,
  depth: 0,
})

test('a type may not stand under itself or under what is below it', () => {
  const choices = [choice('1', null), choice('2', '1'), choice('3', '2'), choice('4', '1'), choice('5', '3')]
  const names = (id: string | null) => findParents(choices, id).map(({ name }) => name)
  expect(names('2')).toEqual(['1', '4'])
  expect(names(null)).toEqual(['1', '2', '3', '4', '5'])
})

test('an empty form names the field it needs', () => {
  const values = {
    name: ' ',
    parentId: '',
    reach: 'organization',
    secondFactor: 'auto',
    startFrom: '',
  } as const
  expect(checkType(values)).toEqual({ 'userType.name': 'Name is required.' })
  expect(toInput(values)).toEqual({ name: ' ', reach: 'organization' })
})

const HELD = 'Only who holds User types, administer (3, 8) gives the reach of the whole customer.'
const NARROW = 'Your own user type reaches one organization, so this one reaches no further.'

test.for([
  [null, true, true, null],
  [null, false, true, HELD],
  ['organization', false, true, HELD],
  ['organization', true, false, NARROW],
  ['organization', true, true, null],
  // What reaches all may be narrowed by whoever may change it.
  ['customer', false, true, null],
] as const)(
  'the reach of a type that reaches %s, by somebody who administers: %s, sees all: %s',
  ([reach, mayAdminister, seesCustomer, why]) => {
    expect(whyFixedReach(reach, { mayAdminister, seesCustomer })).toBe(why)
  },
)
