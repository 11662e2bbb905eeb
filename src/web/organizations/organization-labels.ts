import type { Consolidation } from '#contract/organizations/facilities/inclusion.ts'
import { findIndustry } from '#contract/organizations/profile/industries.ts'
import { COUNTRIES } from '#contract/countries.ts'

const countryNames = new Intl.DisplayNames(undefined, { type: 'region' })
const monthNames = new Intl.DateTimeFormat(undefined, { month: 'long', timeZone: 'UTC' })

/** "United States"; the code if the browser has no name for it. */
export function nameOfCountry(code: string): string {
  return countryNames.of(code) ?? code
}

/** All countries by name. */
export const COUNTRY_CHOICES = COUNTRIES.map((value) => ({ value, label: nameOfCountry(value) })).toSorted(
  (one, other) => one.label.localeCompare(other.label),
)

/** "July" for 7. */
export function nameOfMonth(month: number): string {
  return monthNames.format(Date.UTC(2000, month - 1, 1))
}

export const MONTH_CHOICES = Array.from({ length: 12 }, (_, at) => ({
  value: String(at + 1),
  label: nameOfMonth(at + 1),
}))

export const CONSOLIDATION_NAMES: Record<Consolidation, string> = {
  operational: 'Operational control',
  financial: 'Financial control',
  equity: 'Equity share',
}

export const CONSOLIDATION_HELP: Record<Consolidation, string> = {
  operational: 'Facilities you operate count 100%, all others 0%.',
  financial: 'Facilities you control financially count 100%, all others 0%.',
  equity: 'Facilities count by your ownership percentage.',
}

/** "New car dealers, NAICS 2022 441110". */
export function nameOfIndustry(id: string): string {
  const found = findIndustry(id)
  return found === undefined ? id : `${found.title}, ${found.classification} ${found.code}`
}
