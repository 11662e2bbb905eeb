import { expect, test } from 'vitest'
import { BLANK_CUSTOM_FIELD, fromRows, keyFrom, toRows } from './custom-field-rows.ts'

test.for([
  ['Key board', 'key_board'],
  ['2nd key', 'nd_key'],
  ['Größe (mm)', 'gro_e_mm'],
  ['  ', ''],
] as const)('derives the key of %j as %j', ([name, key]) => {
  expect(keyFrom(name)).toBe(key)
})

test('derives a missing key from the name, and keeps only the properties of its kind', () => {
  const row = {
    ...BLANK_CUSTOM_FIELD,
    name: 'Length',
    kind: 'number' as const,
    unit: 'm',
    choices: ['left over'],
  }
  const [field] = fromRows([row])
  expect(field).toMatchObject({ key: 'length', unit: 'm', choices: [] })
  expect(fromRows([{ ...row, kind: 'choice' }])[0]).toMatchObject({ unit: null, choices: ['left over'] })
  expect(fromRows(toRows(field ? [field] : []))).toEqual([field])
})
