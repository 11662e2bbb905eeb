import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import { GRID_REGION_CODES, GRID_REGIONS } from '#contract/organizations/facilities/grid-regions.ts'
import { nameOfCountry } from '../organization-labels.ts'

export const LEVEL_NAMES: Record<Facility['level'], string> = {
  group: 'Group',
  entity: 'Entity',
  site: 'Site',
  building: 'Building',
  meter: 'Meter',
}

export const TYPE_NAMES: Record<NonNullable<Facility['type']>, string> = {
  showroom: 'Showroom',
  workshop: 'Workshop',
  paint_shop: 'Paint shop',
  office: 'Office',
  storage_lot: 'Storage lot',
  car_wash: 'Car wash',
  charging_hub: 'Charging hub',
  warehouse: 'Warehouse',
}

export const LEASE_NAMES: Record<NonNullable<Facility['lease']>, string> = {
  owned: 'Owned',
  finance_lease: 'Finance lease',
  operating_lease: 'Operating lease',
  leased_out: 'Leased to others',
}

export const UNIT_NAMES: Record<Facility['floorUnit'], string> = { ft2: 'sq ft', m2: 'm\u00b2' }

/** The names of missing fields within a sentence. */
export const MISSING_NAMES = {
  type: 'type',
  country: 'country',
  gridRegion: 'grid region',
  floorArea: 'floor area',
} as const

export const GRID_CHOICES = GRID_REGION_CODES.map((value) => ({
  value,
  label: `${value}, ${GRID_REGIONS[value]}`,
}))

/** "Sacramento, CA", or the country without city and region. */
export function placeOf({ city, region, country }: Facility): string {
  const near = [city, region].filter(Boolean).join(', ')
  return near === '' && country !== null ? nameOfCountry(country) : near
}

/** "48,200 sq ft". */
export function areaOf({ floorArea, floorUnit }: Facility): string {
  if (floorArea === null) return ''
  return `${Number(floorArea).toLocaleString(undefined, { maximumFractionDigits: 2 })} ${UNIT_NAMES[floorUnit]}`
}

/** "48%" for an inclusion percentage, with at most four decimal places; "Unknown" for null. */
export function writePercent(percent: string | null): string {
  if (percent === null) return 'Unknown'
  return `${Number(percent).toLocaleString(undefined, { maximumFractionDigits: 4 })}%`
}
