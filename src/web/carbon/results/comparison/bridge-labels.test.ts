import { expect, test } from 'vitest'
import type { BridgeLine, Comparison } from '#contract/carbon/results/comparison.ts'
import { bridgeSteps, changeOf, finding, shareOf, signedTonnes } from './bridge-labels.ts'

const line: BridgeLine = {
  key: 'total',
  title: 'Total',
  before: '1000',
  after: '900',
  boundary: '200',
  activity: '-400',
  method: '0',
  factor: '100',
  coverage: '0',
  unmatchedBefore: '0',
  unmatchedAfter: '0',
  importedBefore: '0',
  importedAfter: '0',
  missingBefore: 0,
  missingAfter: 0,
}

test('each bar starts where the previous one ends, and the last starts at 0', () => {
  const { steps, least, most } = bridgeSteps(line)
  expect(steps.map(({ key, from, to }) => [key, from, to])).toEqual([
    ['before', 0, 1000],
    ['boundary', 1000, 1200],
    ['activity', 1200, 800],
    ['method', 800, 800],
    ['factor', 800, 900],
    ['coverage', 900, 900],
    ['after', 0, 900],
  ])
  expect([least, most]).toEqual([0, 1200])
})

test('a change has an amount in kg and a percentage, but no percentage of 0', () => {
  expect(changeOf(line)).toBe('-100')
  expect(shareOf(line)).toBe('\u221210.0%')
  expect(shareOf({ before: '0', after: '5' })).toBeNull()
})

const inventory = (name: string) => ({
  id: name,
  name,
  organizationName: 'Ford',
  periodStart: '2025-01-01',
  periodEnd: '2025-12-31',
  status: 'approved' as const,
  boundary: 'operational' as const,
  gwpSet: 'AR5' as const,
  coverage: '',
  missingPoints: 0,
})
const comparison = (more: Partial<BridgeLine>): Comparison => ({
  method: 'location',
  before: inventory('2025'),
  after: inventory('2026'),
  total: { ...line, boundary: '0', factor: '0', ...more },
  scopes: [],
  facilities: [],
  sources: [],
  intensities: [],
  notes: [],
})

test('missing bills are not savings: the finding compares the data points that both have, and names the rest', () => {
  const missing = { before: '100000', after: '62000', activity: '2000', coverage: '-40000' }
  expect(finding(comparison({ ...missing, unmatchedBefore: '40000' }))).toBe(
    'On the data points that both have: 2026 is 2.0 t CO2e higher than 2025 (+3.3%), mainly due to a change in activity. Not compared: 40.0 t of 2025 without data in 2026.',
  )
  const nothing = { before: '100000', after: '0', activity: '0', coverage: '-100000' }
  expect(finding(comparison({ ...nothing, unmatchedBefore: '100000' }))).toBe(
    "2026 and 2025 have no data points in common yet, so they can't be compared. Not compared: 100.0 t of 2025 without data in 2026.",
  )
})

test('a change that rounds to zero has no sign', () => {
  expect([signedTonnes('0.3'), signedTonnes('-0.3'), signedTonnes('1500'), signedTonnes('-1500')]).toEqual([
    '0',
    '0',
    '+1.5',
    '\u22121.5',
  ])
})
