import { expect, test } from 'vitest'
import { blankStart } from './start-form.ts'

const yearOf = (year: number, more: object = {}) => ({
  organizationId: '7',
  boundary: 'operational' as const,
  status: 'draft' as const,
  periodStart: `${year}-01-01`,
  periodEnd: `${year}-12-31`,
  ...more,
})

test.each([
  [[], 2025],
  [[yearOf(2025)], 2026],
  [[yearOf(2025), yearOf(2026)], 2024],
  [[yearOf(2025, { periodEnd: '2026-03-31' }), yearOf(2024)], 2023],
  [[yearOf(2025, { organizationId: '8' }), yearOf(2025, { status: 'restated' })], 2025],
])('a new inventory has a free period: %#', (others, year) => {
  expect(blankStart('2026-11-18', { organizationId: '7', others })).toMatchObject({
    name: `Inventory ${year}`,
    periodStart: `${year}-01-01`,
    periodEnd: `${year}-12-31`,
  })
})
