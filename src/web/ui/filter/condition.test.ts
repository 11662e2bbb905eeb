import { expect, test } from 'vitest'
import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import { VEHICLE_LIST } from '#contract/inventory/vehicles/vehicle-list.ts'
import { controlOf, draftOf, fitted, leafOf, newDraft, otpChannels } from './condition.ts'
import { wordsOf } from './condition-labels.ts'

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
])('a condition comes out of its form as it went in: $field $operator', (leaf) => {
  expect(again(leaf)).toEqual(leaf)
})

test('a form offers the way to compare that a rule already has, besides the usual ones', () => {
  const usual = otpChannels(variable('updatedAt'), 'agoSince').map(({ value }) => value)
  expect(usual).not.toContain('agoIs')
  expect(otpChannels(variable('updatedAt'), 'agoIs').map(({ value }) => value)).toEqual([...usual, 'agoIs'])
})

test('one of few is ticked, so that "is" and "is any of" are one', () => {
  const ways = otpChannels(variable('status'), 'in').map(({ label }) => label)
  expect(ways).toEqual(['is any of', 'is none of', 'is missing', 'is there'])
})

test.each([
  ['price', 'Price: enter a number.'],
  ['make', 'Make: enter a text.'],
  ['status', 'Status: choose at least one.'],
  ['updatedAt', 'Changed: enter a number of days.'],
])('what is not filled in is said with the name of the field: %s', (field, sentence) => {
  expect(leafOf(newDraft(field, variable(field)), variables)).toBe(sentence)
})

test.each([
  ['29,745.50', '29745.50'],
  [' 1500 ', '1500'],
  ['-12', '-12'],
])('a number is taken as people type it: %s', (typed, digits) => {
  expect(leafOf({ field: 'price', way: '>', values: [typed] }, variables)).toMatchObject({ value: digits })
})

test.each(['12,5', '1e9', 'ten', '0x10', '1.'])('what is no number is not taken for one: %s', (typed) => {
  expect(leafOf({ field: 'price', way: '>', values: [typed] }, variables)).toBe('Price: enter a number.')
})

test('a day is not kept as a number of days when the comparison changes', () => {
  const day = { field: 'updatedAt', way: 'agoSince', values: ['2026-03-01'] } as const
  expect(fitted(day, variable('updatedAt'))).toEqual([])
  expect(fitted({ ...day, way: '<', values: ['30'] }, variable('updatedAt'))).toEqual([])
  expect(controlOf(variable('updatedAt'), { ...day, way: '<' })).toBe('date')
})

const nameOf = (_kind: string, id: string) => (id === '2' ? 'Northgate Toyota' : undefined)
test.each<[RuleLeaf, string]>([
  [{ field: 'condition', operator: '==', value: 'used' }, 'Condition is | Used'],
  [{ field: 'daysInStock', operator: '>', value: '45' }, 'Days is over | 45'],
  [{ field: 'lotId', operator: '==', value: '2' }, 'Lot is | Northgate Toyota'],
  [{ field: 'lotId', operator: '==', value: '7' }, 'Lot is | number 7'],
  [{ field: 'lotId', operator: 'in', value: ['1', '2', '3'] }, 'Lot is any of | 3'],
  [{ field: 'vin', operator: 'missing', value: null }, 'VIN is | missing'],
  [{ field: 'updatedAt', operator: '>=', value: { daysAgo: 30 } }, 'Changed is in the last | 30 days'],
  [{ field: 'updatedAt', operator: '<', value: { daysAgo: 30 } }, 'Changed is more than | 30 days ago'],
  [{ field: 'updatedAt', operator: '==', value: { daysAgo: 0 } }, 'Changed is on | today'],
])('a chip says a condition in words: %j', (leaf, words) => {
  const { field, operator, value } = wordsOf(leaf, variables, nameOf)
  expect(`${field} ${operator} | ${value}`).toBe(words)
})
