import { expect, test } from 'vitest'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { findDifferences } from '#web/ui/record/differences.ts'
import { BLANK, checkVehicle, FIELD_NAMES, showField, toInput, toValues } from './vehicle-values.ts'

const vehicle: VehicleRecord = {
  id: '1',
  organizationId: '7',
  lotId: '3',
  lotName: 'Northgate Ford',
  vin: '1FTEW1E87TD319009',
  stock: 'FN10063',
  condition: 'cpo',
  status: 'live',
  statusReason: null,
  year: 2026,
  make: 'Ford',
  model: 'F-150',
  trim: null,
  body: 'Pickup',
  color: 'Gray',
  fuel: 'Gasoline',
  transmission: 'Automatic',
  drivetrain: '4WD',
  mileage: 18_240,
  distanceUnit: 'mi',
  currency: 'USD',
  priceCents: 4_575_550,
  priceState: 'source',
  sourcePriceCents: null,
  asksPrice: false,
  sellingPriceCents: 4_575_550,
  totalPriceCents: 4_575_550,
  msrpCents: null,
  costCents: null,
  marketPriceCents: 4_400_000,
  marketPriceSource: 'vAuto',
  marketPriceOn: '2026-11-12',
  bookValueCents: null,
  bookValueSource: null,
  bookValueOn: null,
  inStockOn: '2026-11-07',
  daysInStock: 14,
  photoCount: 0,
  completeness: 60,
  notPublishedReason: 'no photos',
  published: 'not-published',
  doors: 4,
  genericColor: null,
  interiorColor: null,
  engine: null,
  electrification: 'mild',
  cityEconomy: 18.5,
  highwayEconomy: null,
  whPerMile: null,
  co2: null,
  options: ['Tow package'],
  description: 'One owner.\nTwo keys.',
  invoiceCents: null,
  feedPriceCents: null,
  certification: null,
  photo: null,
  tags: ['Front line'],
  custom: { custom_keys: 'Board 4', custom_ramp: true, custom_length: 5.2 },
  pageUrl: null,
  photos: [],
  provenance: {},
  locked: [],
  version: 3,
  updatedAt: '2026-11-14T10:00:00Z',
  updatedBy: 'Luis Ortega',
}

const own = (key: string, kind: CustomField['kind']): CustomField => ({
  key,
  name: key,
  kind,
  unit: null,
  choices: [],
  isArchived: false,
})
const OWN = [own('keys', 'text'), own('ramp', 'flag'), own('length', 'number'), own('seen', 'date')]

test('converts custom field values and reports invalid ones like the server', () => {
  const values = toValues(vehicle)
  expect(toInput(values, OWN, 'USD').custom).toEqual({ ...vehicle.custom, custom_seen: null })
  const typed = { ...values, custom: { ...values.custom, custom_length: '1.5', custom_ramp: 'no' } }
  expect(toInput(typed, OWN, 'USD').custom).toMatchObject({ custom_length: 1.5, custom_ramp: false })
  const wrong = { ...values, custom: { custom_length: '1,5', custom_seen: '2026-02-30' } }
  expect(Object.keys(checkVehicle(wrong, OWN, 'USD'))).toEqual(['custom.custom_length', 'custom.custom_seen'])
})

test('converts a vehicle to form values and back', () => {
  const values = toValues(vehicle)
  expect(checkVehicle(values, OWN, 'USD')).toEqual({})
  expect(toInput(values, OWN, 'USD')).toMatchObject({
    lotId: '3',
    year: 2026,
    mileage: 18_240,
    priceCents: 4_575_550,
    msrpCents: null,
    cityEconomy: 18.5,
    electrification: 'mild',
    options: ['Tow package'],
    tags: ['Front line'],
    description: 'One owner.\nTwo keys.',
    locksEdits: true,
  })
})

test('accepts numbers in the formats that people type', () => {
  const typed = { ...toValues(vehicle), mileage: '18,240', priceCents: '45 755,50', cityEconomy: '18.5' }
  expect(toInput(typed, OWN, 'USD')).toMatchObject({
    mileage: 18_240,
    priceCents: 4_575_550,
    cityEconomy: 18.5,
  })
  expect(
    Object.keys(
      checkVehicle(
        { ...typed, mileage: '1.5', year: '20x6', priceCents: '-3', cityEconomy: '18,5' },
        OWN,
        'USD',
      ),
    ).toSorted(),
  ).toEqual(['cityEconomy', 'mileage', 'priceCents', 'year'])
})

test('requires only a lot, and a reason for the status hold', () => {
  expect(checkVehicle(BLANK, OWN, 'USD')).toEqual({ lotId: 'Lot is required.' })
  expect(checkVehicle({ ...BLANK, lotId: '3', status: 'hold' }, OWN, 'USD')).toEqual({
    statusReason: 'Reason is required.',
  })
})

test('lists only the differences in a comparison, as display text', () => {
  const mine = { ...toValues(vehicle), electrification: '', lotId: '9', status: 'hold', trim: 'XLT' }
  const names = findDifferences(FIELD_NAMES, mine, toValues(vehicle))
  expect(names).toEqual(['lotId', 'status', 'trim', 'electrification'])
  expect(names.map((name) => showField(name, mine, vehicle))).toEqual(['Another lot', 'Hold', 'XLT', 'None'])
})
