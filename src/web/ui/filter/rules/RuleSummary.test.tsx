import { expect, test } from 'vitest'
import { variablesOf } from '#contract/expressions/variables.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { partsOf, referredBy } from './rule-parts.ts'
import { summarizeRule } from './RuleSummary.tsx'

const variables = variablesOf(VEHICLE_LIST, () => true)
const words = (filter: string) =>
  summarizeRule(filter, variables, (_, id) => (id === '3' ? 'Fulton overflow' : null))

test('a rule reads as its conditions in words', () => {
  expect(words('condition == "used"')).toBe('Condition is Used')
  expect(words('make == "Ford" && daysInStock > 45')).toBe('Make is Ford, Days is over 45')
  expect(words('lotId in [3]')).toBe('Lot is any of Fulton overflow')
  expect(words('')).toBe('')
})

test('parts that are not simple conditions, and invalid rules, stay as written', () => {
  expect(words('condition == "used" && (make == "Ford" || year > 2020)')).toBe(
    'Condition is Used, (make == "Ford" || year > 2020)',
  )
  expect(words('make ==')).toBe('make ==')
})

test('the records of a rule are found by kind, so that their names can be loaded', () => {
  const parts = partsOf('lotId in [3, 300] && make == "Ford" && lotId != 7', variables)
  expect([...referredBy(parts, variables)]).toEqual([['lots', ['3', '300', '7']]])
})
