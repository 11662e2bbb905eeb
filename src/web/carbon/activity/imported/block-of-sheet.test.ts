import { expect, test } from 'vitest'
import { parseNumber } from '#contract/parsing/parse-number.ts'
import { readBlock } from '#web/ui/grid/clipboard-block.ts'
import { blockOf } from './block-of-sheet.ts'

const COMMA = { decimal: ',', order: 'dmy', locale: 'de' } as const

test("keeps the value of a workbook number with any decimal separator in the user's format", () => {
  const lines = [
    ['Facility', 't CO2e'],
    ['Main street', '36.125'],
  ]
  const [, row] = readBlock(blockOf({ lines, isWorkbook: true }, COMMA))
  expect(parseNumber(row?.[1] ?? '', COMMA)).toEqual({ value: '36.125' })
  expect(readBlock(blockOf({ lines, isWorkbook: false }, COMMA))).toEqual(lines)
})
