import { expect, test } from 'vitest'
import { localeFormat } from './locale-format.ts'
import { parseNumber } from './parse-number.ts'

const US = localeFormat('en-US')

test.each([
  [' 1 234 567.5 ', '1234567.5'],
  ['1\u00a0234', '1234'],
  ["1'234", '1234'],
  ['\u2212 1\u202f234', '-1234'],
  [' 42', '42'],
])('%s has spaces around it or between groups of three digits', (text, value) => {
  expect(parseNumber(text, US)).toEqual({ value })
})

test.each(['12 34', ' 12 34 ', '1 2', '1234 567', '1 23 456', '1. 5', '1 234 5'])(
  '%s has a space in another place',
  (text) => expect(parseNumber(text, US)).toEqual({ refusal: `"${text}" isn't a number.` }),
)
