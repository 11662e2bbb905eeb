import { expect, test } from 'vitest'
import { parseNumber } from '#contract/parsing/parse-number.ts'
import { readBlock } from '#web/ui/grid/clipboard-block.ts'
import { blockOf, orderOfSheet } from './block-of-sheet.ts'

const COMMA = { decimal: ',', order: 'dmy', locale: 'de' } as const

test("keeps the value of a workbook number with any decimal separator in the user's format", () => {
  const lines = [
    ['Facility', 't CO2e'],
    ['Main street', '36.125'],
  ]
  const [, row] = readBlock(blockOf({ lines, isWorkbook: true }, COMMA, 'dmy'))
  expect(parseNumber(row?.[1] ?? '', COMMA)).toEqual({ value: '36.125' })
  expect(readBlock(blockOf({ lines, isWorkbook: false }, COMMA, 'dmy'))).toEqual(lines)
})

test('reads the dates of a file in its own order, and knows when it proves none', () => {
  const proved = [
    ['Facility', 'From', 'To'],
    ['Main street', '03/11/2025', '30/11/2025'],
  ]
  expect(orderOfSheet({ lines: proved })).toEqual({ order: 'dmy' })
  const mdy = { decimal: '.', order: 'mdy', locale: 'en' } as const
  expect(readBlock(blockOf({ lines: proved, isWorkbook: false }, mdy, 'dmy'))[1]).toEqual([
    'Main street',
    '2025-11-03',
    '2025-11-30',
  ])
  expect(orderOfSheet({ lines: [['Main street', '03/11/2025', '05/11/2025']] })).toEqual({
    unclear: '03/11/2025',
  })
  expect(orderOfSheet({ lines: [['2025-11-03', '05/05/2025']] })).toEqual({ order: 'mdy' })
})
