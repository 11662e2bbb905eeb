import { expect, test } from 'vitest'
import { formatHours, readHours } from './hours-form.ts'

test.each([
  ['', ''],
  ['Closed', ''],
  ['9:00-18:00', '09:00-18:00'],
  ['13.30 – 18.00, 9 – 12:30', '09:00-12:30, 13:30-18:00'],
  ['9am-6pm', '09:00-18:00'],
  ['12 am to 12 pm', '00:00-12:00'],
  ['20:00-02:00', '20:00-02:00'],
  ['9-18', '09:00-18:00'],
  ['8-24', '08:00-24:00'],
  ['24h', '00:00-24:00'],
])('reads %s as %s', (text, read) => {
  expect(formatHours(readHours(text) ?? [{ opens: 'not', closes: 'read' }])).toBe(read)
})

test.each([
  '9-6',
  '9',
  'morning',
  '25:00-26:00',
  '9:70-10:00',
  '13pm-14pm',
  '9:00-9:00',
  '24:00-02:00',
  '9-12-18',
])('rejects %s', (text) => {
  expect(readHours(text)).toBeNull()
})
