import { expect, test } from 'vitest'
import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { controlOf, draftOf, compatibleValues, leafOf, newDraft, operatorsFor } from './condition.ts'
import { conditionLabel } from './condition-labels.ts'

const variables = variablesOf(VEHICLE_LIST, () => true)
const variable = (field: string) => {
  const found = variables[field]
  if (!found) throw new Error(`The list of vehicles has no ${field}.`)
  return found
}
const again = (leaf: RuleLeaf) => leafOf(draftOf(leaf, variable(leaf.field)), variables)

test.each<RuleLeaf>([
  { field: 'price', operator: '>', value: '25000.5' },
  { field: 'status', operator: '==', value: 'live' },
  { field: 'status', operator: '!=', value: 'live' },
  { field: 'status', operator: 'notIn', value: ['live', 'hold'] },
  { field: 'lotId', operator: 'in', value: ['1', '2'] },
  { field: 'make', operator: 'startsNotWith', value: 'F' },
  { field: 'make', operator: 'in', value: ['Ford', 'Kia'] },
  { field: 'vin', operator: 'missing', value: null },
  { field: 'updatedAt', operator: '>=', value: { daysAgo: 30 } },
  { field: 'updatedAt', operator: '<=', value: { daysAgo: 3 } },
  { field: 'updatedAt', operator: '!=', value: { daysAgo: 0 } },
  { field: 'inStockOn', operator: '<', value: '2026-03-01' },
  { field: 'updatedAt', operator: '>', value: '2026-03-01T10:00:00Z' },
])('a condition survives a round trip through its form: $field $operator', (leaf) => {
  expect(again(leaf)).toEqual(leaf)
})

test('a form also offers the comparison that a rule already uses', () => {
  const usual = operatorsFor(variable('updatedAt'), 'agoSince').map(({ value }) => value)
  expect(usual).not.toContain('agoIs')
  expect(operatorsFor(variable('updatedAt'), 'agoIs').map(({ value }) => value)).toEqual([...usual, 'agoIs'])
})

test('options are checked, so "is" and "is any of" are one comparison', () => {
  const labels = operatorsFor(variable('status'), 'in').map(({ label }) => label)
  expect(labels).toEqual(['is any of', 'is none of', 'is empty', 'is not empty'])
})

test.each([
  ['price', 'Price before rules: enter a number.'],
  ['make', 'Make: enter text.'],
  ['status', 'Status: choose at least one.'],
  ['updatedAt', 'Changed: enter a number of days.'],
])('a missing value is reported with the field name: %s', (field, sentence) => {
  expect(leafOf(newDraft(field, variable(field)), variables)).toBe(sentence)
})

test.each([
  ['29,745.50', '29745.50'],
  [' 1500 ', '1500'],
  ['-12', '-12'],
])('accepts numbers as users type them: %s', (typed, digits) => {
  expect(leafOf({ field: 'price', comparison: '>', values: [typed] }, variables)).toMatchObject({
    value: digits,
  })
})

test.each(['12,5', '1e9', 'ten', '0x10', '1.'])('rejects text that is not a number: %s', (typed) => {
  expect(leafOf({ field: 'price', comparison: '>', values: [typed] }, variables)).toBe(
    'Price before rules: enter a number.',
  )
})

test('a date is not kept as a number of days when the comparison changes', () => {
  const day = { field: 'updatedAt', comparison: 'agoSince', values: ['2026-03-01'] } as const
  expect(compatibleValues(day, variable('updatedAt'))).toEqual([])
  expect(compatibleValues({ ...day, comparison: '<', values: ['30'] }, variable('updatedAt'))).toEqual([])
  expect(controlOf(variable('updatedAt'), { ...day, comparison: '<' })).toBe('date')
})

const nameOf = (_kind: string, id: string) => (id === '2' ? 'Northgate Toyota' : undefined)
test.each<[RuleLeaf, string]>([
  [{ field: 'condition', operator: '==', value: 'used' }, 'Condition is | Used'],
  [{ field: 'daysInStock', operator: '>', value: '45' }, 'Days is over | 45'],
  [{ field: 'lotId', operator: '==', value: '2' }, 'Lot is | Northgate Toyota'],
  [{ field: 'lotId', operator: '==', value: '7' }, 'Lot is | ID 7'],
  [{ field: 'lotId', operator: 'in', value: ['1', '2', '3'] }, 'Lot is any of | 3'],
  [{ field: 'vin', operator: 'missing', value: null }, 'VIN is | empty'],
  [{ field: 'updatedAt', operator: '>=', value: { daysAgo: 30 } }, 'Changed is in the last | 30 days'],
  [{ field: 'updatedAt', operator: '<', value: { daysAgo: 30 } }, 'Changed is more than | 30 days ago'],
  [{ field: 'updatedAt', operator: '==', value: { daysAgo: 0 } }, 'Changed is on | today'],
])('a chip describes a condition: %j', (leaf, words) => {
  const { field, operator, value } = conditionLabel(leaf, variables, nameOf)
  expect(`${field} ${operator} | ${value}`).toBe(words)
})
