import { expect, test } from 'vitest'
import { charactersCut } from './cut-paste.tsx'

const field = (value: string, maxLength: number, selected = 0) => ({
  value,
  maxLength,
  selectionStart: 0,
  selectionEnd: selected,
})

test.for([
  ['', 60, 0, 'a'.repeat(300), 240],
  ['', 60, 0, 'a'.repeat(60), 0],
  ['abc', 5, 3, 'abcde', 0],
  ['abc', 5, 0, 'abc', 1],
  ['', -1, 0, 'a'.repeat(300), 0],
] as const)(
  'of a paste into "%s" with a limit of %s and %s selected, what is left out is counted',
  (given) => {
    const [value, limit, selected, pasted, cut] = given
    expect(charactersCut(field(value, limit, selected), pasted)).toBe(cut)
  },
)
