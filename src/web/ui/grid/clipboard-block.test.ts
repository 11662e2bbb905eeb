import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBlock, writeBlock } from './clipboard-block.ts'

test('a block is read cell by cell, with any line ending', () => {
  expect(readBlock('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(readBlock('a\n\nb')).toEqual([['a'], [''], ['b']])
  expect(readBlock('a\t')).toEqual([['a', '']])
})

test('quoted cells keep tabs, line breaks and quotes', () => {
  expect(readBlock('"two\nlines"\t"say ""so"""\r\nx')).toEqual([['two\nlines', 'say "so"'], ['x']])
})

test('a quote inside a cell, or an unclosed one, is literal', () => {
  expect(readBlock('24" rim\t"open')).toEqual([['24" rim', '"open']])
})

test('a written block is read back unchanged', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', '1') })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(cell, { minLength: 4, maxLength: 24 }),
      (wide, cells) => {
        const rows = Array.from({ length: Math.floor(cells.length / wide) }, (_, at) =>
          cells.slice(at * wide, (at + 1) * wide),
        )
        // A single empty cell in the last line is indistinguishable from the final line break.
        fc.pre(rows.at(-1)?.join('') !== '')
        expect(readBlock(writeBlock(rows))).toEqual(rows)
      },
    ),
  )
})
