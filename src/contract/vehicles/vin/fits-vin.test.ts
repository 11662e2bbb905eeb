import { expect, test } from 'vitest'
import { fitsVin, type ComparedField } from './fits-vin.ts'
import type { VinFacts } from './vin.ts'

const decoded = (values: Partial<Record<ComparedField | 'series' | 'trim' | 'electrification', string>>) => {
  const all: VinFacts['values'] = {}
  for (const [field, value] of Object.entries(values)) Object.assign(all, { [field]: { value, from: '' } })
  return all
}

test.for<[ComparedField, string | number, Parameters<typeof decoded>[0], boolean]>([
  ['year', 2023, { year: '2023' }, true],
  ['year', 2022, { year: '2023' }, false],
  ['make', 'DODGE TRUCK', { make: 'Dodge' }, true],
  ['make', 'Mercedes', { make: 'Mercedes-Benz' }, true],
  ['make', 'Ford', { make: 'Lincoln' }, false],
  ['model', 'f150', { model: 'F-150' }, true],
  ['model', 'F-250', { model: 'F-150' }, false],
  ['model', 'Bronco', { model: 'Bronco Sport' }, false],
  ['model', 'Cherokee', { model: 'Grand Cherokee' }, false],
  ['model', 'CX-5', { model: 'CX-50' }, false],
  ['model', '4 Series', { model: '435i', series: '4-Series' }, true],
  ['model', 'Ram Pickup 1500', { make: 'Ram', model: '1500' }, true],
  ['model', 'RAV4 Hybrid', { model: 'RAV4' }, true],
  ['model', 'Town & Country', { model: 'Town and Country' }, true],
  ['model', 'Mustang Mach-E', { model: 'Mustang' }, false],
  ['body', 'Crew Cab Pickup', { body: 'Pickup' }, true],
  ['body', 'SUV', { body: 'Wagon' }, true],
  ['body', 'Sedan', { body: 'SUV' }, false],
  ['body', 'STELVIO', { body: 'SUV' }, true],
  ['fuel', 'Regular unleaded', { fuel: 'Gasoline' }, true],
  ['fuel', 'Diesel', { fuel: 'Gasoline' }, false],
  ['fuel', 'Hybrid', { fuel: 'Gasoline' }, true],
  ['fuel', 'Hybrid', { fuel: 'Electric', electrification: 'electric' }, false],
  ['drivetrain', '4x4', { drivetrain: 'AWD' }, true],
  ['drivetrain', 'FWD', { drivetrain: 'AWD' }, false],
  ['drivetrain', 'FWD', { drivetrain: '2WD' }, true],
  ['drivetrain', 'FWD', {}, true],
])('%s %s against %o: %s', ([field, own, values, fits]) => {
  expect(fitsVin(field, own, decoded(values))).toBe(fits)
})
