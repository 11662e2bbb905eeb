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
  version: 1,
})

test('excludes the type itself and its descendants as parents', () => {
  const choices = [choice('1', null), choice('2', '1'), choice('3', '2'), choice('4', '1'), choice('5', '3')]
  const names = (id: string | null) => findParents(choices, id).map(({ name }) => name)
  expect(names('2')).toEqual(['1', '4'])
  expect(names(null)).toEqual(['1', '2', '3', '4', '5'])
})

test('an empty form names the required field', () => {
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

const HELD = 'Only users with User types, administer (3, 8) can give access to all organizations.'
const NARROW = "Your own user type covers one organization, so this one can't cover more."

test.for([
  [null, true, true, null],
  [null, false, true, HELD],
  ['organization', false, true, HELD],
  ['organization', true, false, NARROW],
  ['organization', true, true, null],
  // Access to all organizations can be reduced by anyone who may change the type.
  ['customer', false, true, null],
] as const)(
  'access of a type with access %s, for a caller who administers: %s, covers all: %s',
  ([reach, mayAdminister, seesCustomer, reason]) => {
    expect(whyFixedReach(reach, { mayAdminister, seesCustomer })).toBe(reason)
  },
)
