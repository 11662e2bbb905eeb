import { expect, test } from 'vitest'
import { findMissingMonths, findUnusual, type MonthUse, type SubmittedRecords } from './compare-months.ts'

const use = (month: string, amount: string, more: Partial<MonthUse> = {}): MonthUse => ({
  facilityId: '1',
  facilityName: 'Main street',
  sourceType: 'natural_gas',
  sourceName: null,
  sourceLabel: null,
  sourceId: '10',
  inventoryId: '5',
  month: `${month}-01`,
  dimension: 'energy',
  amount,
  days: 31,
  unit: 'MJ',
  toBase: '1',
  ...more,
})
const bill = (first: string, last: string, more: Partial<SubmittedRecords> = {}): SubmittedRecords => ({
  ids: ['7'],
  facilityId: '1',
  sourceType: 'natural_gas',
  dimension: 'energy',
  unit: 'MJ',
  toBase: '1',
  first,
  last,
  ...more,
})
const january = bill('2025-01-01', '2025-01-01')

test('flags three times the prior year, and a third of it, with both quantities', () => {
  const unusual = (now: string) =>
    findUnusual([january], { now: [use('2025-01', now)], before: [use('2025-01', '100')] })
  expect(unusual('300')[0]?.sentence).toBe('300 MJ in 2025-01, 3.0 times the prior year (100 MJ).')
  expect(unusual('33')[0]?.sentence).toContain('33% of the prior year')
  expect(unusual('299')).toEqual([])
  expect(unusual('34')).toEqual([])
  expect(unusual('0')[0]?.times).toBe('0.0')
})

test('bills of one month are added up, and partial months are compared per day', () => {
  const now = [use('2025-01', '400'), use('2025-02', '500', { days: 28 })]
  const before = [use('2025-01', '100'), use('2025-02', '50', { days: 14 })]
  const [found] = findUnusual([bill('2025-01-01', '2025-02-01')], { now, before })
  expect(found).toMatchObject({ now: '900', before: '150', times: '4.6' })
  expect(found?.sentence).toContain('2025-01 to 2025-02')
  expect(found?.sentence).toContain('per day')
})

test('does not compare with other sources, other dimensions or years without records', () => {
  const now = [use('2025-01', '900')]
  for (const other of [
    use('2025-01', '100', { facilityId: '2' }),
    use('2025-01', '100', { dimension: 'volume' }),
    use('2025-02', '100'),
    use('2025-01', '0'),
  ])
    expect(findUnusual([january], { now, before: [other] })).toEqual([])
})

test('shows quantities in the unit of the bill', () => {
  const record = { ...january, unit: 'kWh', toBase: '3.6' }
  const [found] = findUnusual([record], { now: [use('2025-01', '3600')], before: [use('2025-01', '360')] })
  expect(found).toMatchObject({ now: '1000', before: '100', unit: 'kWh' })
})

test('flags every bill of the same months', () => {
  const both = { ...january, ids: ['7', '8'] }
  const found = findUnusual([both], { now: [use('2025-01', '900')], before: [use('2025-01', '100')] })
  expect(found.map(({ recordId, times }) => [recordId, times])).toEqual([
    ['7', '9.0'],
    ['8', '9.0'],
  ])
})

test('merges consecutive months that had records a year before and are empty now', () => {
  const months = ['2025-01', '2025-02', '2025-03', '2025-05', '2025-06']
  const before = months.map((month) => use(month, '10'))
  const empty = new Set(
    ['2025-01', '2025-02', '2025-04', '2025-05'].map((month) => `1/natural_gas ${month}-01`),
  )
  const here = new Map([['1/natural_gas', '77']])
  const gone = findMissingMonths([...before, use('2025-04', '9', { days: 3 })], { here, empty })
  expect(gone.map(({ from, to, before: quantity, hereId }) => [from, to, quantity, hereId])).toEqual([
    ['2025-01-01', '2025-02-01', '20', '77'],
    ['2025-05-01', '2025-05-01', '10', '77'],
  ])
  expect(findMissingMonths(before, { here: new Map(), empty })[0]?.hereId).toBeNull()
  expect(findMissingMonths(before, { here, empty: new Set() })).toEqual([])
})
