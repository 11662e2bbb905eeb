import { expect, test } from 'vitest'
import { addOpenMinutes, openTimeBetween } from './open-time.ts'
import { Holidays, OpeningHours } from './opening-hours.ts'

const zone = 'America/Los_Angeles'
/** Monday to Friday, 9 to 18. */
const hours = OpeningHours.parse(
  (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => ({ day, opens: '09:00', closes: '18:00' })),
)
const open = { hours, holidays: Holidays.parse([]), zone }
const due = (from: string, minutes: number, of = open) =>
  addOpenMinutes(of, new Date(from), minutes).toISOString().replace(':00.000Z', 'Z')
const openMinutes = (from: string, to: string, of = open) =>
  openTimeBetween(of, new Date(from), new Date(to)) / 60_000

test.each([
  // A Wednesday at 10:00, at 17:50, at 20:00 and a Saturday; 9:00 in winter is 17:00Z.
  ['2026-11-18T18:00Z', '2026-11-18T18:15Z'],
  ['2026-11-19T01:50Z', '2026-11-19T17:05Z'],
  ['2026-11-19T04:00Z', '2026-11-19T17:15Z'],
  ['2026-11-21T20:00Z', '2026-11-23T17:15Z'],
  // Before the clocks change on Sunday, November 1: Monday 9:00 is an hour later in UTC.
  ['2026-10-31T20:00Z', '2026-11-02T17:15Z'],
])('15 open minutes after %s are over at %s', (from, to) => {
  expect(due(from, 15)).toBe(to)
})

test('a lot that is open while the clocks change counts the hours that pass', () => {
  const night = {
    ...open,
    hours: OpeningHours.parse([{ day: 'sun', opens: '00:00', closes: '06:00' }]),
  }
  // Midnight to 6:00 is seven hours on November 1 and five on March 14, 2027.
  expect(openMinutes('2026-11-01T07:00Z', '2026-11-01T14:00Z', night)).toBe(420)
  expect(due('2026-11-01T07:00Z', 180, night)).toBe('2026-11-01T10:00Z')
  expect(openMinutes('2027-03-14T08:00Z', '2027-03-14T13:00Z', night)).toBe(300)
  expect(due('2027-03-14T08:00Z', 180, night)).toBe('2027-03-14T11:00Z')
})

test('an hour that the clocks skip or show twice is counted as it passes', () => {
  const early = (opens: string, closes: string) => ({
    ...open,
    hours: OpeningHours.parse([{ day: 'sun', opens, closes }]),
  })
  // The second 1:15 on November 1, for 1:30 to 6:00 and for midnight to 1:30.
  expect(openMinutes('2026-11-01T09:15Z', '2026-11-01T14:00Z', early('01:30', '06:00'))).toBe(270)
  expect(due('2026-11-01T09:15Z', 60, early('01:30', '06:00'))).toBe('2026-11-01T10:30Z')
  expect(openMinutes('2026-11-01T09:15Z', '2026-11-01T14:00Z', early('00:00', '01:30'))).toBe(15)
  // 2:15 to 2:45 doesn't exist on March 14, 2027.
  expect(openMinutes('2027-03-14T08:00Z', '2027-03-14T20:00Z', early('02:15', '02:45'))).toBe(0)
})

test('a goal that is longer than a day goes on the next day, and counts back the same', () => {
  const from = '2026-11-18T18:00:00Z'
  const to = due(from, 600)
  expect(to).toBe('2026-11-19T19:00Z')
  expect(openMinutes(from, to)).toBe(600)
})

test('a holiday is closed, and unknown hours count every minute', () => {
  const closed = {
    ...open,
    holidays: Holidays.parse([{ on: '2026-11-19', name: 'Inventory', hours: [] }]),
  }
  expect(due('2026-11-19T04:00Z', 15, closed)).toBe('2026-11-20T17:15Z')
  const unknown = { ...open, hours: OpeningHours.parse([]) }
  expect(due('2026-11-19T04:00Z', 15, unknown)).toBe('2026-11-19T04:15Z')
  expect(openMinutes('2026-11-19T04:00Z', '2026-11-19T05:00Z', unknown)).toBe(60)
})

test('time in which the lot was closed is no response time', () => {
  // From 17:50 to 9:10 on the next day.
  expect(openMinutes('2026-11-19T01:50Z', '2026-11-19T17:10Z')).toBe(20)
  expect(openMinutes('2026-11-21T20:00Z', '2026-11-22T20:00Z')).toBe(0)
})
