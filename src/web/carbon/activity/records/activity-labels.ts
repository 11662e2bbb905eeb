import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { GridChoice } from '#web/ui/grid/grid-column.ts'

export const STATUS_WORDS: Readonly<Record<ActivityRecord['status'], string>> = {
  draft: 'Draft',
  submitted: 'Submitted',
  approved: 'Approved',
  returned: 'Returned',
}

/** From 1, the best, to 5, as the GHG Protocol's guidance ranks data. */
export const QUALITIES: readonly GridChoice[] = [
  { value: '1', label: '1 Measured', aliases: ['1'] },
  { value: '2', label: '2 Billed', aliases: ['2'] },
  { value: '3', label: '3 Reckoned', aliases: ['3'] },
  { value: '4', label: '4 Roughly', aliases: ['4'] },
  { value: '5', label: '5 Guessed', aliases: ['5'] },
]

export const ESTIMATES: readonly GridChoice[] = [
  { value: 'same_month_last_year', label: 'Same month last year' },
  { value: 'average', label: 'Average' },
  { value: 'floor_area', label: 'Floor area' },
  { value: 'other', label: 'Other estimate' },
]

/** kg as people read them; nothing where there is no result, because that is no 0. */
export function kgWords(kg: string | null): string {
  return kg === null ? '' : showFigure(kg, 6)
}

const FLAGS: Readonly<Record<string, string>> = {
  latest: 'The edition of the year is not there: the latest before it was taken.',
  country: 'There is no figure for the region: that of the country was taken.',
  fixed: 'Published as CO2e: it does not move with the report of the IPCC.',
  'no-instrument': 'Nothing was bought for it: the figure of the grid counts for the market too.',
  certificates: 'Certificates cover a part of it.',
  'by-hand': 'A person chose this factor.',
  'before-validity': 'The factor is valid from a later day on.',
  'outside-period': 'A part of it lies outside the period of the inventory and is not counted.',
}

/** What a flag of a result means, as a sentence; the flag itself where it is a new one. */
export const flagWords = (flag: string): string => FLAGS[flag] ?? flag.replaceAll('-', ' ')

const monthAndYear = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** "Jan 2025" of a month's first day. */
export const monthWords = (month: string): string =>
  monthAndYear.format(new Date(`${month.slice(0, 10)}T00:00:00Z`))
