import { expect, test } from 'vitest'
import { COUNTRIES, COUNTRY_CHOICES } from './countries.ts'

test('a column of countries shows, filters and exports names', () => {
  expect(COUNTRY_CHOICES).toHaveLength(COUNTRIES.length)
  expect(COUNTRY_CHOICES.find(({ value }) => value === 'CA')?.label).toBe('Canada')
})
