import type { Opening, WallTime } from '#contract/open-now.ts'

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const DAY_MS = 86_400_000

/** "Open until 18:00", "Closed, opens Mon 09:00"; null without hours. `today`: the place's local date. */
export function openingWords(opening: Opening, today: string): string | null {
  if (opening.state === 'unknown') return null
  const reason = opening.holiday === null ? '' : ` (${opening.holiday})`
  if (opening.state === 'open') {
    return opening.until === null ? `Open${reason}` : `Open until ${timeWords(opening.until, today)}${reason}`
  }
  return opening.opens === null
    ? `Closed${reason}`
    : `Closed${reason}, opens ${timeWords(opening.opens, today)}`
}

/** "18:00" today, "Mon 09:00" within a week, "Dec 24 09:00" later. */
function timeWords({ on, at }: WallTime, today: string): string {
  const days = Math.round((Date.parse(on) - Date.parse(today)) / DAY_MS)
  if (days === 0) return at
  return `${(days < 7 ? weekday : day).format(new Date(on))} ${at}`
}
