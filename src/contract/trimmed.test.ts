import { expect, test } from 'vitest'
import { line, optionalLine } from './fields.ts'
import { trimmed } from './trimmed.ts'

const INVISIBLE = [
  '',
  ' ',
  '\u200B',
  ' \u200B\u200D ',
  '\uFEFF',
  '\u2060',
  '\u00AD',
  '\u3164',
  '\u2800',
  '\uFE0F',
  '\u202E',
  '\u00A0\t',
]

test.for(INVISIBLE)('%j has nothing to see', (text) => {
  expect(trimmed(text)).toBe('')
  expect(line(10, 'Name').safeParse(text).error?.issues[0]?.message).toBe('Name is required.')
  expect(optionalLine(10).parse(text)).toBeNull()
})

test.for([' a ', 'نص\u200Cنص', '👩\u200D🔧', '-', '0', '日本'])('%j is a text', (text) => {
  expect(trimmed(text)).toBe(text.trim())
  expect(line(20).parse(text)).toBe(text.trim())
})
