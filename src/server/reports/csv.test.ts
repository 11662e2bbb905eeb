import { expect, test } from 'vitest'
import { neutral } from './csv.ts'

test.for([
  ['=1+1', "'=1+1"],
  // Some programs skip spaces at the start of a cell.
  ['  =1+1', "'  =1+1"],
  ['\u00A0@SUM(A1)', "'\u00A0@SUM(A1)"],
  ['a,=1+1', "a,'=1+1"],
  ['two\nlines\n=1', "two\nlines\n'=1"],
  ['yes, -10 %', 'yes, -10 %'],
  ['a-b', 'a-b'],
] as const)('%s is written as text', ([text, written]) => {
  expect(neutral(text)).toBe(written)
})
