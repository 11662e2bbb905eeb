import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NumberField, readNumber } from './NumberField.tsx'

const LIMITS = { min: -5, max: 2_000_000, decimals: 2 }

test.for([
  ['', ''],
  [' ', ''],
  ['12', 12],
  ['0012', 12],
  ['-0', 0],
  ['1.5', 1.5],
  ['1.50', '1.50'],
  ['1,000', 1000],
  ['1,234.5', 1234.5],
  ['1.234,5', 1234.5],
  ['\u22123', -3],
])('"%s" is read as %s', ([text, value]) => {
  expect(readNumber(String(text), LIMITS)).toEqual({ value })
})

test.for([
  ['1,5', /ambiguous/],
  ['1.234', /at most 2 decimals/],
  ['1e3', /isn't a number/],
  ['abc', /isn't a number/],
  ['1.2.3', /isn't a number/],
  ['12 %', /isn't a number/],
  ['-6', /from -5 to 2,000,000/],
  ['99999999999999999999', /from -5 to 2,000,000/],
] as const)('"%s" is refused', ([text, why]) => {
  expect(readNumber(text, LIMITS)).toEqual({ refusal: expect.stringMatching(why) })
})

test('a whole number has no decimals, and a limit on one side says so', () => {
  expect(readNumber('1.5', {})).toEqual({ refusal: 'Enter a whole number.' })
  expect(readNumber('0', { min: 1 })).toEqual({ refusal: 'Enter at least 1.' })
  expect(readNumber('2', { max: 1 })).toEqual({ refusal: 'Enter at most 1.' })
})

const shown = (value: number | string | undefined, isPlain = false) =>
  /value="([^"]*)"/.exec(
    renderToStaticMarkup(
      <MantineProvider>
        <NumberField label="Number" value={value} isPlain={isPlain} onChange={() => {}} />
      </MantineProvider>,
    ),
  )?.[1]

test('a number is shown as the language writes it, a year as it is, and other text unchanged', () => {
  expect(shown(1234.5)).toBe('1,234.5')
  expect(shown(2026, true)).toBe('2026')
  expect(shown('1,5')).toBe('1,5')
  expect(shown(undefined)).toBe('')
})
