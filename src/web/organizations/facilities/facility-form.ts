import { fieldSentences } from '#contract/field-sentences.ts'
import { Facility, NewFacility } from '#contract/organizations/facilities/facilities.ts'
import { findMismatches } from '#contract/organizations/facilities/facility-schema.ts'
import { proposeGridRegion } from '#contract/organizations/facilities/grid-regions.ts'
import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { nameOfCountry } from '../organization-labels.ts'
import { LEASE_NAMES, LEVEL_NAMES, TYPE_NAMES, UNIT_NAMES } from './facility-labels.ts'

export type ControlValues = {
  validFrom: string
  ownership: string
  operationalControl: boolean
  financialControl: boolean
}

/** The values of the form: text for typed and selected values, empty if not given. */
export type FacilityValues = {
  code: string
  name: string
  level: Facility['level']
  parentId: string
  type: '' | NonNullable<Facility['type']>
  lotId: string
  address: string
  city: string
  region: string
  postalCode: string
  country: string
  gridRegion: '' | NonNullable<Facility['gridRegion']>
  floorArea: string
  floorUnit: Facility['floorUnit']
  staff: string
  lease: '' | NonNullable<Facility['lease']>
  openedOn: string
  closedOn: string
  control: ControlValues[]
}

/** Field labels in form order; also used to compare a stale facility. */
export const FIELD_NAMES: Record<keyof FacilityValues, string> = {
  code: 'Code',
  name: 'Name',
  level: 'Level',
  parentId: 'Parent facility',
  type: 'Type',
  lotId: 'Lot',
  address: 'Address',
  city: 'City',
  region: 'State or province',
  postalCode: 'Postal code',
  country: 'Country',
  gridRegion: 'Grid region',
  floorArea: 'Floor area',
  floorUnit: 'Unit',
  staff: 'Employees',
  lease: 'Lease',
  openedOn: 'Opened',
  closedOn: 'Last day in use',
  control: 'Ownership and control',
}

/** A new row: wholly owned and controlled. */
export const BLANK_CONTROL: ControlValues = {
  validFrom: '',
  ownership: '100',
  operationalControl: true,
  financialControl: true,
}

/** A new facility: in the organization's country and region, owned and controlled since January 1 of the current year. */
export function blankOf({ country, region }: OrganizationProfile, today: string): FacilityValues {
  return {
    code: '',
    name: '',
    level: 'site',
    parentId: '',
    type: '',
    lotId: '',
    address: '',
    city: '',
    region: region ?? '',
    postalCode: '',
    country: country ?? '',
    gridRegion: proposeGridRegion({ country, region, postalCode: null }) ?? '',
    floorArea: '',
    floorUnit: country === null || country === 'US' ? 'ft2' : 'm2',
    staff: '',
    lease: '',
    openedOn: '',
    closedOn: '',
    control: [{ ...BLANK_CONTROL, validFrom: `${today.slice(0, 4)}-01-01` }],
  }
}

export function toValues(facility: Facility): FacilityValues {
  const { code, name, level, floorUnit, control } = facility
  return {
    code,
    name,
    level,
    floorUnit,
    control,
    parentId: facility.parentId ?? '',
    type: facility.type ?? '',
    lotId: facility.lotId ?? '',
    address: facility.address ?? '',
    city: facility.city ?? '',
    region: facility.region ?? '',
    postalCode: facility.postalCode ?? '',
    country: facility.country ?? '',
    gridRegion: facility.gridRegion ?? '',
    floorArea: facility.floorArea ?? '',
    staff: facility.staff === null ? '' : String(facility.staff),
    lease: facility.lease ?? '',
    openedOn: facility.openedOn ?? '',
    closedOn: facility.closedOn ?? '',
  }
}

/** An error sentence per invalid field, from the contract. */
export function checkFacility(values: FacilityValues): Record<string, string> {
  const { data, error } = NewFacility.safeParse(values)
  return error ? fieldSentences(error) : findMismatches(data)
}

/**
 * Applies a change of location. A suggested or empty grid region follows the location; one that the user selected stays.
 * Outside the United States there is none.
 */
export function followPlace(
  values: FacilityValues,
  change: Partial<Pick<FacilityValues, 'country' | 'region' | 'postalCode'>>,
): Partial<FacilityValues> {
  const next = { ...values, ...change }
  if (next.country !== 'US') return { ...change, gridRegion: '' }
  const isChosen = values.gridRegion !== '' && values.gridRegion !== (proposeGridRegion(values) ?? '')
  return isChosen ? change : { ...change, gridRegion: proposeGridRegion(next) ?? '' }
}

/** A field as text, for the comparison of a stale facility. `nameOf`: the name of the parent or lot with an ID. */
export function showField(
  name: string,
  values: FacilityValues,
  nameOf: (field: 'parentId' | 'lotId', id: string) => string,
): string {
  const { level, type, lease, country, floorUnit, control } = values
  switch (name) {
    case 'level':
      return LEVEL_NAMES[level]
    case 'type':
      return type === '' ? 'None' : TYPE_NAMES[type]
    case 'lease':
      return lease === '' ? 'None' : LEASE_NAMES[lease]
    case 'country':
      return country === '' ? 'None' : nameOfCountry(country)
    case 'floorUnit':
      return UNIT_NAMES[floorUnit]
    case 'parentId':
    case 'lotId':
      return values[name] === '' ? 'None' : nameOf(name, values[name])
    case 'control':
      return control.map(writeControl).join('; ')
    default:
      return showValue({ ...values }[name])
  }
}

/** "From 2024-07-01: 60%, operational control, no financial control". */
function writeControl({ validFrom, ownership, operationalControl, financialControl }: ControlValues): string {
  const operational = operationalControl ? 'operational control' : 'no operational control'
  const financial = financialControl ? 'financial control' : 'no financial control'
  return `From ${validFrom}: ${ownership}%, ${operational}, ${financial}`
}

/** The form of a facility of an organization; a new one is as `blankOf` says. */
export const facilityForm = (organization: OrganizationProfile, today: string) => ({
  schema: Facility,
  labels: FIELD_NAMES,
  blank: blankOf(organization, today),
  toValues,
  toInput: (values: FacilityValues) => values,
  check: checkFacility,
})
