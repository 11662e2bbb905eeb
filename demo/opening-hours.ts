import type { NewLot } from '#contract/customers/lots/lots.ts'
import { WEEKDAYS, type WeekHours } from '#contract/opening-hours.ts'
import { clock } from '#server/clock.ts'

type Hours = Pick<NewLot, 'hours' | 'holidays'>

const YEAR = clock.date().getUTCFullYear()
const HOLIDAYS = [
  { on: `${YEAR}-12-24`, name: 'Christmas Eve', hours: [{ opens: '09:00', closes: '14:00' }] },
  { on: `${YEAR}-12-25`, name: 'Christmas Day', hours: [] },
  { on: `${YEAR + 1}-01-01`, name: "New Year's Day", hours: [] },
]

/** The sales floor: late in the week, short on Sunday. */
export const SALES_HOURS: Hours = {
  hours: WEEKDAYS.map((day) =>
    day === 'sun' ? { day, opens: '11:00', closes: '17:00' } : { day, opens: '09:00', closes: '20:00' },
  ),
  holidays: HOLIDAYS,
}

/** The service department: with a lunch break, closed on Sunday. */
export const SERVICE_HOURS: Hours = {
  hours: WEEKDAYS.flatMap((day): WeekHours[] => {
    if (day === 'sun') return []
    if (day === 'sat') return [{ day, opens: '08:00', closes: '12:00' }]
    return [
      { day, opens: '07:30', closes: '12:00' },
      { day, opens: '12:45', closes: '18:00' },
    ]
  }),
  holidays: HOLIDAYS,
}
