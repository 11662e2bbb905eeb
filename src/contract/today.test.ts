import { expect, test } from 'vitest'
import { dayIn, startOfDayIn, today } from './today.ts'

test.for([
  // Evening in Los Angeles, the next morning in UTC.
  ['America/Los_Angeles', '2026-11-18T01:00:00Z', '2026-11-17'],
  ['America/Los_Angeles', '2026-11-18T07:59:59.999Z', '2026-11-17'],
  ['America/Los_Angeles', '2026-11-18T08:00:00Z', '2026-11-18'],
  ['UTC', '2026-11-18T01:00:00Z', '2026-11-18'],
  // Morning in Auckland, the evening before in UTC.
  ['Pacific/Auckland', '2026-11-18T20:00:00Z', '2026-11-19'],
  ['Pacific/Auckland', '2026-11-18T10:59:59Z', '2026-11-18'],
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
  ['Asia/Kathmandu', '2026-11-18T18:14:59Z', '2026-11-18'],
  ['Asia/Kathmandu', '2026-11-18T18:15:00Z', '2026-11-19'],
  // Daylight saving changes: days of 23 and 25 hours.
  ['America/Los_Angeles', '2026-03-08T07:59:59Z', '2026-03-07'],
  ['America/Los_Angeles', '2026-03-09T06:59:59Z', '2026-03-08'],
  ['America/Los_Angeles', '2026-03-09T07:00:00Z', '2026-03-09'],
  ['America/Los_Angeles', '2026-11-02T07:59:59Z', '2026-11-01'],
  ['America/Los_Angeles', '2026-11-02T08:00:00Z', '2026-11-02'],
  // A leap day.
  ['America/Los_Angeles', '2028-03-01T05:00:00Z', '2028-02-29'],
  ['Pacific/Auckland', '2028-02-28T11:30:00Z', '2028-02-29'],
  ['UTC', '2028-02-29T23:58:00Z', '2028-02-29'],
] as const)('in %s, %s is on %s', ([zone, moment, day]) => {
  expect(today(zone, new Date(moment))).toBe(day)
})

const number = (day: string) => Date.parse(day) / 86_400_000

test.for([
  ['UTC', '2026-11-18', '2026-11-18T00:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-18', '2026-11-18T08:00:00.000Z'],
  ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00.000Z'],
  ['America/Los_Angeles', '2026-03-09', '2026-03-09T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00.000Z'],
  ['Pacific/Auckland', '2028-02-29', '2028-02-28T11:00:00.000Z'],
  // Clocks went forward at midnight, so the day began at 1 a.m.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  // Clocks went back from midnight to 11 p.m., so the day began an hour later.
  ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z'],
] as const)('in %s, %s begins at %s', ([zone, day, moment]) => {
  expect(new Date(startOfDayIn(zone, number(day))).toISOString()).toBe(moment)
})

test.for(['America/Los_Angeles', 'Pacific/Auckland', 'America/Sao_Paulo', 'Asia/Kathmandu', 'UTC'])(
  'every day in %s starts right after the day before',
  (zone) => {
    for (let day = number('2017-06-01'); day < number('2019-06-01'); day++) {
      const start = startOfDayIn(zone, day)
      expect([dayIn(zone, start), dayIn(zone, start - 1)]).toEqual([day, day - 1])
    }
  },
)
