import { expect, test } from 'vitest'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { readRule } from './read.ts'
import { variablesOf } from './variables.ts'

test('a field the user may not see is unknown and never suggested', () => {
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

test('a computed field is not a variable', () => {
  expect(Object.keys(variablesOf(VEHICLE_LIST, () => true))).not.toContain('name')
})
