import { expect, test } from 'vitest'
import { gridRow, type GridColumn } from './grid-column.ts'
import { localeFormat, type LocaleFormat } from '#contract/parsing/locale-format.ts'
import { parseDate, showDate } from '#contract/parsing/parse-date.ts'
import { editText, readEntry, showCell, withEntry } from './read-entry.ts'
import { parseNumber, showNumber } from '#contract/parsing/parse-number.ts'

const english: LocaleFormat = { decimal: '.', order: 'mdy', locale: 'en' }
const german: LocaleFormat = { decimal: ',', order: 'dmy', locale: 'de' }
const quantity: GridColumn = { key: 'quantity', title: 'Quantity', kind: 'number', width: 90 }
const unit: GridColumn = {
  key: 'unit',
  title: 'Unit',
  kind: 'unit',
  width: 90,
  choices: [{ value: 'kWh', label: 'kWh', aliases: ['kilowatt hours'] }],
}

test('numbers and dates use the format of the locale', () => {
  expect(localeFormat('en-US')).toMatchObject({ decimal: '.', order: 'mdy' })
  expect(localeFormat('de-DE')).toMatchObject({ decimal: ',', order: 'dmy' })
  expect(localeFormat('sv-SE')).toMatchObject({ decimal: ',', order: 'ymd' })
})

test.each([
  ['1,234.5', english, '1234.5'],
  // Lakhs, as in India.
  ['1,23,456.5', english, '123456.5'],
  ['1.234,5', german, '1234.5'],
  ['1.234', german, '1234'],
  ['1.234', english, '1.234'],
  ['12 345', german, '12345'],
  ["12'345.60", english, '12345.60'],
  ['\u22125', english, '-5'],
  ['.5', english, '0.5'],
  ['007', english, '7'],
  ['0.10', english, '0.10'],
  ['1.234,56', english, '1234.56'],
  ['123456789012345678901.123456789012', english, '123456789012345678901.123456789012'],
])('%s is parsed as in the format %o', (text, format, value) => {
  expect(parseNumber(text, format)).toEqual({ value })
})

test.each([
  ['1,5', english, 'If you mean 1.5'],
  ['12.5', german, 'If you mean 12,5'],
  ['1,23,45', english, "isn't a number"],
  ['12 kg', english, "isn't a number"],
  ['1.2E+05', english, 'shortened'],
  ['-', english, "isn't a number"],
])('%s is rejected with an example of what to enter', (text, format, words) => {
  expect(parseNumber(text, format)).toEqual({ refusal: expect.stringContaining(words) })
})

test('a number is shown with all its digits', () => {
  expect(showNumber('-1234567.8901', english)).toBe('\u22121,234,567.8901')
  expect(showNumber('1234.5', german)).toBe('1.234,5')
})

test.each([
  ['2025-01-31', english, '2025-01-31'],
  ['1/31/2025', english, '2025-01-31'],
  ['31.1.2025', german, '2025-01-31'],
  ['31-Jan-25', english, '2025-01-31'],
  ['Jan 31, 2025', english, '2025-01-31'],
  ['15. M\u00e4rz 2025', german, '2025-03-15'],
  ['2025-01-31 00:00:00', english, '2025-01-31'],
])('the date %s is parsed', (text, format, value) => {
  expect(parseDate(text, format)).toEqual({ value })
})

test('a date that is not in the calendar is rejected', () => {
  expect(parseDate('2025-02-29', english)).toHaveProperty('refusal')
  expect(parseDate('31/01/2025', english)).toHaveProperty('refusal')
  expect(parseDate('soon', english)).toHaveProperty('refusal')
})

test("a date is shown in the user's order", () => {
  expect(showDate('2025-01-31', english)).toBe('01/31/2025')
  expect(showDate('2025-01-31', german)).toBe('31.01.2025')
})

test('a unit is recognized by its common names, and an unknown one is kept as typed', () => {
  expect(readEntry('kilowatt hours', unit, english)).toEqual({ value: 'kWh' })
  expect(readEntry('therms', unit, english)).toEqual({ value: 'therms' })
  expect(readEntry('therms', { ...unit, kind: 'choice' }, english)).toHaveProperty('refusal')
})

test('the beginning of a choice is not the choice: kW is power, not kWh', () => {
  for (const text of ['kW', 'k', 'KWH '])
    expect(readEntry(text, unit, english)).toEqual({ value: text.trim() })
  const basis: GridColumn = {
    ...unit,
    kind: 'choice',
    choices: [
      { value: 'gross', label: 'Gross', aliases: ['HHV'] },
      { value: 'net', label: 'Net' },
    ],
  }
  expect(readEntry('gro', basis, english)).toHaveProperty('refusal')
  expect(readEntry('hhv', basis, english)).toEqual({ value: 'gross' })
})

test('rejected input stays until it is changed', () => {
  const refused = withEntry(gridRow('1', {}), quantity, ' 12 kg ', english)
  expect(showCell(refused, quantity, english)).toBe('12 kg')
  expect(refused.refused['quantity']).toContain("isn't a number")
  const mended = withEntry(refused, quantity, '12', english)
  expect(mended).toEqual(gridRow('1', { quantity: '12' }))
})

test('edit text is parsed back to the same value', () => {
  const row = gridRow('1', { quantity: '1234.5' })
  expect(editText(row, quantity, german)).toBe('1234,5')
  expect(readEntry(editText(row, quantity, german), quantity, german)).toEqual({ value: '1234.5' })
})
