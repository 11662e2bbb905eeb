const HOUR_MS = 3_600_000
/** Salespeople start the day with the leads they put off. */
const MORNING = 9

/** A time to which a lead can be snoozed. */
export type SnoozeTime = Readonly<{ label: string; at: Date }>

/** The times that are offered for a snooze, in the time zone of the reader. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const morning = (days: number): Date => {
    const day = new Date(now)
    day.setDate(day.getDate() + days)
    day.setHours(MORNING, 0, 0, 0)
    return day
  }
  // On Sunday, "Monday" is tomorrow, which is offered already.
  const toMonday = (8 - now.getDay()) % 7 || 7
  return [
    { label: 'In 1 hour', at: new Date(now.getTime() + HOUR_MS) },
    { label: 'In 3 hours', at: new Date(now.getTime() + 3 * HOUR_MS) },
    { label: 'Tomorrow at 9:00', at: morning(1) },
    ...(toMonday > 1 ? [{ label: 'Monday at 9:00', at: morning(toMonday) }] : []),
    ...(toMonday === 7 ? [] : [{ label: 'In a week', at: morning(7) }]),
  ]
}
