import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'

/** A vehicle as returned by the list, for tests. */
export const aVehicle: Vehicle = {
  id: '7',
  organizationId: '2',
  lotId: '3',
  lotName: 'Northgate Ford',
  vin: '1FTFW1E85PFA41877',
  stock: 'P41877',
  condition: 'used',
  status: 'live',
  statusReason: null,
  year: 2023,
  make: 'Ford',
  model: 'F-150',
  trim: null,
  body: null,
  color: null,
  fuel: null,
  transmission: null,
  drivetrain: null,
  mileage: 18_240,
  distanceUnit: 'mi',
  currency: 'USD',
  priceCents: 4_418_050,
  sellingPriceCents: 4_418_050,
  totalPriceCents: 4_418_050,
  msrpCents: null,
  costCents: null,
  marketPriceCents: null,
  marketPriceSource: null,
  marketPriceOn: null,
  bookValueCents: null,
  bookValueSource: null,
  bookValueOn: null,
  inStockOn: null,
  daysInStock: null,
  photoCount: 0,
  photo: null,
  tags: ['Front line'],
  custom: {},
  completeness: 50,
  notPublishedReason: null,
  published: 'published',
  version: 4,
  updatedAt: '2026-11-21T10:00:00Z',
  updatedBy: null,
}

const field = (key: string, name: string, more: Partial<CustomField> = {}): CustomField => ({
  key,
  name,
  kind: 'text',
  unit: null,
  choices: [],
  isArchived: false,
  ...more,
})

/** One custom field of each type, for tests. */
export const OWN_FIELDS: CustomField[] = [
  field('board', 'Key board'),
  field('length', 'Length', { kind: 'number', unit: 'm' }),
  field('inspected', 'Inspected on', { kind: 'date' }),
  field('loaner', 'Loaner', { kind: 'flag' }),
  field('stage', 'Stage', { kind: 'choice', choices: ['Wash', 'Photos', 'Ready'] }),
]
