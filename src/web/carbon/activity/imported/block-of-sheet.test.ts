import { expect, test } from 'vitest'
import { readNumber } from '#contract/entries/read-number.ts'
import { readBlock } from '#web/ui/grid/clipboard-block.ts'
import { blockOf } from './block-of-sheet.ts'

const COMMA = { decimal: ',', order: 'dmy', locale: 'de' } as const

test('a number of a workbook stays the number it is, whatever mark a person writes before decimals', () => {
  const lines = [
    ['Facility', 't CO2e'],
    ['Main street', '36.125'],
  ]
  const [, row] = readBlock(blockOf({ lines, isWorkbook: true }, COMMA))
  expect(readNumber(row?.[1] ?? '', COMMA)).toEqual({ value: '36.125' })
  expect(readBlock(blockOf({ lines, isWorkbook: false }, COMMA))).toEqual(lines)
})
