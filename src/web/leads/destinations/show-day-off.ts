/** A day such as 2026-11-27 as users read it: "Fri, Nov 27". A calendar day has no time zone. */
export function showDayOff(day: string): string {
  return new Intl.DateTimeFormat(undefined, {
    timeZone: 'UTC',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  }).format(new Date(`${day}T00:00:00Z`))
}
