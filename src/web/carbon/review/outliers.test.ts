import { expect, test } from 'vitest'
import type { ActivityRecord } from '#contract/carbon/activity-fields.ts'
import { findOutliers } from './outliers.ts'

function record(id: string, quantity: string | null, month: number, unit = 'therm'): ActivityRecord {
  const periodStart = `2025-${String(month).padStart(2, '0')}-01`
  const periodEnd = new Date(Date.UTC(2025, month, 0)).toISOString().slice(0, 10)
  return {
    id,
    version: 1,
    sourceId: '1',
    facilityId: '1',
    facilityName: 'Ford',
    sourceType: 'natural_gas',
    scope: '1',
    kind: 'calculated',
    quantity,
    unit,
    calorificBasis: null,
    periodStart,
    periodEnd,
    meterFrom: null,
    meterTo: null,
    factorId: null,
    quality: null,
    estimateMethod: null,
    direct: null,
    priceYear: null,
    moneyRate: null,
    moneyDeflator: null,
    reference: null,
    comment: null,
    status: 'submitted',
    reviewComment: null,
    evidence: 0,
    updatedAt: '2025-01-01T00:00:00Z',
    updatedBy: null,
    result: null,
  }
}

test('three times the usual of a source, and a third of it, are looked at', () => {
  const records = [100, 110, 90, 105, 400, 20].map((quantity, at) =>
    record(String(at), String(quantity), at + 1),
  )
  const found = findOutliers(records)
  expect([...found.keys()]).toEqual(['4', '5'])
  expect(found.get('4')).toMatch(/^3\.\d times/)
  expect(found.get('5')).toMatch(/% of the usual/)
})

test('a longer bill is no outlier, and other units are not compared', () => {
  const quarter = { ...record('long', '300', 4), periodEnd: '2025-06-30' }
  const records = [1, 2, 3, 7].map((month) => record(String(month), '100', month))
  expect(findOutliers([...records, quarter, record('other', '9000', 8, 'kWh')]).size).toBe(0)
})

test('of few records, and of those without a quantity, nothing is said', () => {
  expect(findOutliers([record('1', '1', 1), record('2', '500', 2), record('3', null, 3)]).size).toBe(0)
})
