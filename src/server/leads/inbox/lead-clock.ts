import { sql } from 'kysely'
import { DEFAULT_ACCEPT_MINUTES, DEFAULT_RESPONSE_MINUTES } from '#contract/leads/inbox/lead-settings.ts'
import { addOpenMinutes, openTimeBetween } from '#contract/open-time.ts'
import { Holidays, OpeningHours } from '#contract/opening-hours.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** The opening hours and goals that apply to the leads of a lot. */
export type LeadClock = Readonly<{
  hours: OpeningHours
  holidays: Holidays
  zone: string
  responseMinutes: number
  /** Null: an assigned lead is never passed on. */
  acceptMinutes: number | null
  managerId: string | null
}>
type Holidays = ReturnType<typeof Holidays.parse>

/** Reads the clock of a lot, or without one of the organization, whose opening hours are unknown. */
export async function readLeadClock(
  db: Database,
  { organizationId, lotId }: { organizationId: string; lotId: string | null },
): Promise<LeadClock> {
  const { rows } = await sql<{
    [K in keyof LeadClock]: K extends 'hours' | 'holidays' ? unknown : LeadClock[K]
  }>`
    select l.hours, l.holidays, coalesce(l.time_zone, o.time_zone, c.time_zone) as zone,
      coalesce(ls.response_minutes, s.response_minutes, ${DEFAULT_RESPONSE_MINUTES}) as response_minutes,
      case when s.customer_id is null then ${DEFAULT_ACCEPT_MINUTES} else s.accept_minutes end as accept_minutes,
      ls.manager_id::text as manager_id
    from organizations o join customers c on c.id = o.customer_id
    left join lots l on l.customer_id = o.customer_id and l.id = ${lotId}
    left join lead_settings s on s.customer_id = o.customer_id
    left join lot_lead_settings ls on ls.customer_id = o.customer_id and ls.lot_id = l.id
    where o.id = ${organizationId}`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The organization of the lead does not exist.')
  return {
    ...found,
    hours: OpeningHours.parse(found.hours ?? []),
    holidays: Holidays.parse(found.holidays ?? []),
  }
}

/** When a person has to have answered a lead that came in at `from`. */
export function respondBy(clock: LeadClock, from: Date): Date {
  return addOpenMinutes(clock, from, clock.responseMinutes)
}

/** When the owner of a lead that was assigned at `from` has to have accepted it; null if never. */
export function acceptBy(clock: LeadClock, from: Date): Date | null {
  return clock.acceptMinutes === null ? null : addOpenMinutes(clock, from, clock.acceptMinutes)
}

/** Seconds between receipt and response: all of them, and those in which the lot was open. */
export function responseTimes(
  clock: LeadClock,
  from: Date,
  to: Date,
): { responseSeconds: number; openResponseSeconds: number } {
  const seconds = (milliseconds: number) => Math.max(0, Math.round(milliseconds / 1000))
  return {
    responseSeconds: seconds(to.getTime() - from.getTime()),
    openResponseSeconds: seconds(openTimeBetween(clock, from, to)),
  }
}
