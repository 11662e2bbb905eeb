import fc from 'fast-check'
import { expect, test } from 'vitest'
import { natural, neutral } from './formula-guard.ts'

test.for([
  ['=1+1', "'=1+1"],
  // Some programs skip spaces at the start of a cell.
  ['  =1+1', "'  =1+1"],
  ['\u00A0@SUM(A1)', "'\u00A0@SUM(A1)"],
  ['a,=1+1', "a,'=1+1"],
  ['two\nlines\n=1', "two\nlines\n'=1"],
  ['yes, -10 %', 'yes, -10 %'],
  ['a-b', 'a-b'],
  ["'=1", "''=1"],
] as const)('%s is written as text', ([text, written]) => {
  expect(neutral(text)).toBe(written)
})

test('what is written is read as it was', () => {
  const part = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    "'",
    ' ',
    ',',
    ';',
    '\t',
    '\n',
    'a',
    '1',
    '\uFF1D',
    '\u00A0',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      expect(natural(neutral(text))).toBe(text)
    }),
    { numRuns: 2_000 },
  )
})
