import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { dayAfter } from '#contract/days.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { GridChoice } from '#web/ui/grid/grid-column.ts'

export const RECORD_STATUS_NAMES: Readonly<Record<ActivityRecord['status'], string>> = {
  draft: 'Draft',
  submitted: 'Submitted',
  approved: 'Approved',
  returned: 'Returned',
}

/** From 1 (best) to 5, as the GHG Protocol guidance ranks data quality. */
export const QUALITIES: readonly GridChoice[] = [
  { value: '1', label: '1 Measured', aliases: ['1'] },
  { value: '2', label: '2 Billed', aliases: ['2'] },
  { value: '3', label: '3 Calculated', aliases: ['3'] },
  { value: '4', label: '4 Rough estimate', aliases: ['4'] },
  { value: '5', label: '5 Guess', aliases: ['5'] },
]

export const ESTIMATES: readonly GridChoice[] = [
  { value: 'same_month_last_year', label: 'Same month last year' },
  { value: 'average', label: 'Average' },
  { value: 'floor_area', label: 'Floor area' },
  { value: 'other', label: 'Other estimate' },
]

/** kg for display; empty without a result, because a missing result isn't 0. */
export function formatKg(kg: string | null): string {
  return kg === null ? '' : showFigure(kg, 6)
}

const FLAGS: Readonly<Record<string, string>> = {
  latest: 'No edition for this year. The latest earlier edition was used.',
  country: 'No factor for the region. The national factor was used.',
  fixed: "Published as CO2e, so the chosen IPCC report doesn't affect it.",
  'gwp-other': 'Published as CO2e with the GWPs of a different IPCC report than this inventory uses.',
  'gwp-not-stated': "Published as CO2e. The source doesn't state the GWP set.",
  'no-instrument': 'No contractual instruments. The grid factor is also used for the market-based result.',
  certificates: 'Partly covered by energy certificates.',
  'by-hand': 'This factor was chosen manually.',
  'before-validity': 'The factor becomes valid on a later date.',
  'certificates-left-over': "More certificates were allocated than were used. The excess isn't counted.",
  fuel: 'Converted with the calorific value or density of the fuel.',
  'fuel-other': 'The calorific value or density comes from a different publisher than the factor.',
  'standard-volume': 'The volume was read as gas at standard conditions, as utilities bill it.',
  'outside-period': "Part of this record is outside the inventory period and isn't counted.",
}

/** The meaning of a result flag as a sentence; an unknown flag is shown as is. */
export const flagLabel = (flag: string): string => FLAGS[flag] ?? flag.replaceAll('-', ' ')

const monthAndYear = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** "Jan 2025", from the first day of a month. */
export const formatMonth = (month: string): string =>
  monthAndYear.format(new Date(`${month.slice(0, 10)}T00:00:00Z`))

/** A full month by name, any other period by its first and last date. */
export function formatPeriod(from: string, to: string): string {
  const isMonth =
    from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7) && dayAfter(to, 1).endsWith('-01')
  return isMonth ? formatMonth(from) : `${writeDay(from)} to ${writeDay(to)}`
}
