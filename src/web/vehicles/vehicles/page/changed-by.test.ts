import { expect, test } from 'vitest'
import type { PricePoint } from '#contract/vehicles/vehicles/vehicles.ts'
import { changedByText } from './changed-by.ts'

const POINT: PricePoint = {
  at: '2026-11-24T17:30:00Z',
  by: null,
  feed: null,
  zone: 'UTC',
  isByRules: true,
  priceCents: 100,
  sellingCents: 100,
  totalCents: 100,
  rules: [],
  causes: [],
}
const DANA = { by: 'Dana Whitfield', as: null, rules: [] }

test('names who or what changed a price', () => {
  const text = (more: Partial<PricePoint>) => changedByText({ ...POINT, ...more })
  const rules = [{ id: '9', name: 'Clearance', version: 3 }]
  expect(text({ isByRules: false, by: 'Dana Whitfield' })).toBe('Dana Whitfield')
  expect(text({ isByRules: false, feed: 'Autoxloo' })).toBe('Autoxloo')
  expect(text({ isByRules: false, feed: 'Autoxloo', by: 'Dana Whitfield' })).toBe('Autoxloo (Dana Whitfield)')
  expect(text({ isByRules: false })).toBe('Feed')
  expect(text({})).toBe('Pricing rules or fees')
  expect(text({ causes: [{ ...DANA, what: 'rule', rules }] })).toBe(
    'Dana Whitfield (Pricing rule Clearance, version 3)',
  )
  expect(text({ causes: [{ what: 'clock', by: null, as: null, rules: [] }] })).toBe(
    'Date of a rule, fee or law',
  )
  expect(
    text({
      causes: [
        { ...DANA, what: 'approval', as: 'Luis Ortega' },
        { ...DANA, what: 'settings' },
      ],
    }),
  ).toBe('Dana Whitfield as Luis Ortega (Approval), Dana Whitfield (Fees or price law)')
})
