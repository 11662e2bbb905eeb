import { expect, test } from 'vitest'
import { VEHICLE_LIST } from '../inventory/vehicles/vehicle-list.ts'
import { readRule } from './read.ts'
import { variablesOf } from './variables.ts'

test('what somebody may not see is no field, not even by a good guess', () => {
  const variables = variablesOf(VEHICLE_LIST, () => false)
  expect(Object.keys(variables)).not.toContain('cost')
  expect(readRule('cost > 1', variables)).toMatchObject({
    ok: false,
    problem: { message: expect.not.stringContaining('Did you mean `cost`') },
  })
  expect(
    readRule(
      'cost > 1',
      variablesOf(VEHICLE_LIST, () => true),
    ).ok,
  ).toBe(true)
})

test('what is made of other fields is none', () => {
  expect(Object.keys(variablesOf(VEHICLE_LIST, () => true))).not.toContain('name')
})
