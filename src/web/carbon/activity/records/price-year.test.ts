import { expect, test } from 'vitest'
import { makeUnitTable } from '#contract/carbon/factors/unit-table.ts'
import { gridRow } from '#web/ui/grid/grid-column.ts'
import { columnsOf } from './activity-columns.ts'
import { inputOf } from './activity-rows.ts'

const columns = (isMoney: boolean) =>
  columnsOf(
    'calculated',
    { units: ['USD'], unitTable: makeUnitTable({ units: [], aliases: [] }), isMoney, today: '2026-11-22' },
    () => null,
    () => undefined,
  ).map(({ title }) => title)

test('only spend-based sources have a price year column', () => {
  expect(columns(true)).toContain('Price year')
  expect(columns(false)).not.toContain('Price year')
})

test('sends the price year of the row; a row without the column keeps the year of its record', () => {
  const source = { id: '1', method: 'calculated' } as const
  const days = { periodStart: '2025-01-01', periodEnd: '2025-01-31', quantity: '7' }
  const record = {
    factorId: null,
    priceYear: 2022,
    moneyRate: null,
    moneyDeflator: null,
    direct: null,
    cost: null,
  }
  const yearOf = (cells: Record<string, string>) =>
    inputOf(gridRow('1', { ...days, ...cells }), source, record).priceYear
  expect([yearOf({ priceYear: '2024' }), yearOf({ priceYear: '' }), yearOf({})]).toEqual([2024, null, 2022])
})
