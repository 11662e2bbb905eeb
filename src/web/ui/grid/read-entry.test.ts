import { expect, test } from 'vitest'
import { gridRow, type GridColumn } from './grid-column.ts'
import { formatOf, type PersonFormat } from '#contract/entries/person-format.ts'
import { readDate, showDate } from '#contract/entries/read-date.ts'
import { editText, readEntry, showCell, withEntry } from './read-entry.ts'
import { readNumber, showNumber } from '#contract/entries/read-number.ts'

const english: PersonFormat = { decimal: '.', order: 'mdy', locale: 'en' }
const german: PersonFormat = { decimal: ',', order: 'dmy', locale: 'de' }
const quantity: GridColumn = { key: 'quantity', title: 'Quantity', kind: 'number', width: 90 }
const unit: GridColumn = {
  key: 'unit',
  title: 'Unit',
  kind: 'unit',
  width: 90,
  choices: [{ value: 'kWh', label: 'kWh', aliases: ['kilowatt hours'] }],
}

test('the format of a language is that of its numbers and days', () => {
  expect(formatOf('en-US')).toMatchObject({ decimal: '.', order: 'mdy' })
  expect(formatOf('de-DE')).toMatchObject({ decimal: ',', order: 'dmy' })
  expect(formatOf('sv-SE')).toMatchObject({ decimal: ',', order: 'ymd' })
})

test.each([
  ['1,234.5', english, '1234.5'],
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
])('%s is read as %o has it', (text, format, value) => {
  expect(readNumber(text, format)).toEqual({ value })
})

test.each([
  ['1,5', english, 'Write 1.5'],
  ['12.5', german, 'Write 12,5'],
  ['1,23,456', english, 'is not a number'],
  ['12 kg', english, 'is not a number'],
  ['1.2E+05', english, 'shortened'],
  ['-', english, 'is not a number'],
])('%s is refused, and it is said what to write', (text, format, words) => {
  expect(readNumber(text, format)).toEqual({ refusal: expect.stringContaining(words) })
})

test('a number is shown with every digit it has', () => {
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
])('the day %s is read', (text, format, value) => {
  expect(readDate(text, format)).toEqual({ value })
})

test('a day that the calendar does not have is refused', () => {
  expect(readDate('2025-02-29', english)).toHaveProperty('refusal')
  expect(readDate('31/01/2025', english)).toHaveProperty('refusal')
  expect(readDate('soon', english)).toHaveProperty('refusal')
})

test('a day is shown in the order of the person', () => {
  expect(showDate('2025-01-31', english)).toBe('01/31/2025')
  expect(showDate('2025-01-31', german)).toBe('31.01.2025')
})

test('a unit is known by what people call it, and an unknown one stays as it was written', () => {
  expect(readEntry('Kilowatt Hours', unit, english)).toEqual({ value: 'kWh' })
  expect(readEntry('therms', unit, english)).toEqual({ value: 'therms' })
  expect(readEntry('therms', { ...unit, kind: 'choice' }, english)).toHaveProperty('refusal')
})

test('what is refused stays as it was written until something else is', () => {
  const refused = withEntry(gridRow('1', {}), quantity, ' 12 kg ', english)
  expect(showCell(refused, quantity, english)).toBe('12 kg')
  expect(refused.refused['quantity']).toContain('is not a number')
  const mended = withEntry(refused, quantity, '12', english)
  expect(mended).toEqual(gridRow('1', { quantity: '12' }))
})

test('what is edited is read back as what it was', () => {
  const row = gridRow('1', { quantity: '1234.5' })
  expect(editText(row, quantity, german)).toBe('1234,5')
  expect(readEntry(editText(row, quantity, german), quantity, german)).toEqual({ value: '1234.5' })
})
