import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { copyName } from '#contract/copy-name.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'

/** "Nov 30"; with the year if it isn't the current one. A day has no time zone. */
export const showDay = (day: string): string => formatDay(`${day}T00:00`)

/** "2026" for a calendar year, otherwise "Jul 1, 2025 to Jun 30, 2026". */
export function showPeriod({
  periodStart,
  periodEnd,
}: Pick<Assessment, 'periodStart' | 'periodEnd'>): string {
  const year = periodStart.slice(0, 4)
  if (periodStart === `${year}-01-01` && periodEnd === `${year}-12-31`) return year
  const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
  const show = (day: string) => full.format(new Date(`${day}T00:00`))
  return `${show(periodStart)} to ${show(periodEnd)}`
}

/** Whole days from one day to another; negative if the other is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** The name with each year one later: "Dealer energy 2026" becomes "Dealer energy 2027". */
export const nameForNextYear = (name: string): string => {
  const next = name.replaceAll(/\b20\d\d\b/g, (year) => String(Number(year) + 1))
  return next === name ? copyName(name, 1, 120) : next
}

/** Why the caller can’t change the assessment, as a sentence; null if they can. */
export const ownLock = ({ isOwn, organizationName }: Pick<Assessment, 'isOwn' | 'organizationName'>) =>
  isOwn ? null : `${organizationName} runs this assessment. You can answer your targets, but not change it.`
