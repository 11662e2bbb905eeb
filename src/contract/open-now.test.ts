import { expect, test } from 'vitest'
import { openingAt } from './open-now.ts'
import { type Holiday, Holidays, OpeningHours, WEEKDAYS, type WeekHours } from './opening-hours.ts'

const week = (opens: string, closes: string, days: readonly WeekHours['day'][] = WEEKDAYS): WeekHours[] =>
  days.map((day) => ({ day, opens, closes }))
const SPLIT = [
  ...week('09:00', '12:00', ['mon', 'tue', 'wed', 'thu', 'fri']),
  ...week('13:00', '18:00', ['mon']),
]
const zone = 'America/Los_Angeles'
const at = (moment: string, hours: WeekHours[], holidays: Holiday[] = []) =>
  openingAt({ hours, holidays, zone }, new Date(moment))

// 2026-11-23 is a Monday; Los Angeles is UTC-8 in winter.
test.each([
  ['2026-11-23T16:59:00Z', { state: 'closed', opens: { on: '2026-11-23', at: '09:00' } }],
  ['2026-11-23T17:00:00Z', { state: 'open', until: { on: '2026-11-23', at: '12:00' } }],
  ['2026-11-23T20:00:00Z', { state: 'closed', opens: { on: '2026-11-23', at: '13:00' } }],
  // Already Tuesday in UTC.
  ['2026-11-24T01:59:00Z', { state: 'open', until: { on: '2026-11-23', at: '18:00' } }],
  ['2026-11-24T02:00:00Z', { state: 'closed', opens: { on: '2026-11-24', at: '09:00' } }],
  // Closed on the weekend.
  ['2026-11-27T20:00:00Z', { state: 'closed', opens: { on: '2026-11-30', at: '09:00' } }],
])('handles days with a break at %s', (moment, expected) => {
  expect(at(moment, SPLIT)).toEqual({ ...expected, holiday: null })
})

test('counts hours past midnight toward the day they began', () => {
  const hours = week('20:00', '02:00', ['fri'])
  expect(at('2026-11-28T09:59:00Z', hours)).toMatchObject({
    state: 'open',
    until: { on: '2026-11-28', at: '02:00' },
  })
  expect(at('2026-11-28T10:00:00Z', hours)).toMatchObject({ state: 'closed' })
  expect(at('2026-11-27T09:00:00Z', hours)).toMatchObject({ state: 'closed' })
})

test('has no closing time for a lot that never closes, and ignores midnight', () => {
  const always = week('00:00', '24:00')
  expect(at('2026-11-23T08:00:00Z', always)).toMatchObject({ state: 'open', until: null })
  const two = week('00:00', '24:00', ['mon', 'tue'])
  expect(at('2026-11-23T20:00:00Z', two)).toMatchObject({ until: { on: '2026-11-25', at: '00:00' } })
})

test('uses holiday hours instead of the weekday hours, open or closed', () => {
  const closed = [{ on: '2026-11-23', name: 'Inventory', hours: [] }]
  expect(at('2026-11-23T18:00:00Z', SPLIT, closed)).toEqual({
    state: 'closed',
    opens: { on: '2026-11-24', at: '09:00' },
    holiday: 'Inventory',
  })
  const short = [{ on: '2026-11-29', name: 'Open Sunday', hours: [{ opens: '10:00', closes: '14:00' }] }]
  expect(at('2026-11-29T18:30:00Z', SPLIT, short)).toEqual({
    state: 'open',
    until: { on: '2026-11-29', at: '14:00' },
    holiday: 'Open Sunday',
  })
})

test('keeps wall-clock times when daylight saving changes', () => {
  const hours = week('09:00', '17:00')
  expect(at('2026-10-31T16:00:00Z', hours)).toMatchObject({ state: 'open' })
  expect(at('2026-11-01T16:59:00Z', hours)).toMatchObject({ state: 'closed' })
  expect(at('2026-11-01T17:00:00Z', hours)).toMatchObject({ state: 'open' })
})

test('is unknown without hours, and has no next opening with only past holidays', () => {
  expect(at('2026-11-23T18:00:00Z', [])).toEqual({ state: 'unknown' })
  const past = [{ on: '2026-01-01', name: 'New Year', hours: [] }]
  expect(at('2026-11-23T18:00:00Z', [], past)).toMatchObject({ state: 'closed', opens: null })
})

test.each([
  [[...week('09:00', '13:00', ['mon']), ...week('12:59', '18:00', ['mon'])], 'Monday has overlapping hours.'],
  [
    [...week('20:00', '03:00', ['sun']), ...week('02:00', '04:00', ['mon'])],
    "Sunday's hours overlap with Monday's.",
  ],
  [week('9:00', '18:00', ['mon']), 'Opening time must look like 09:00.'],
  [week('09:00', '24:30', ['mon']), "Closing time must look like 18:00, and can't be later than 24:00."],
])('rejects %j', (hours, sentence) => {
  expect(OpeningHours.safeParse(hours).error?.issues[0]?.message).toBe(sentence)
})

test('accepts adjacent hours and rejects a duplicate holiday', () => {
  expect(OpeningHours.safeParse([...week('08:00', '12:00'), ...week('12:00', '18:00')]).success).toBe(true)
  const day = { on: '2026-12-25', name: 'Christmas', hours: [] }
  expect(Holidays.safeParse([day, day]).error?.issues[0]?.message).toBe('Each date can be listed only once.')
  expect(Holidays.safeParse([{ ...day, on: '2026-02-30' }]).success).toBe(false)
  expect(Holidays.parse([day, { ...day, on: '2026-01-01' }]).map(({ on }) => on)).toEqual([
    '2026-01-01',
    '2026-12-25',
  ])
})
