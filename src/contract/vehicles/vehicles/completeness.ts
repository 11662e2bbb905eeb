import type { VehicleFieldName } from './vehicle-fields.ts'

/**
 * What each field adds to a vehicle's completeness, out of 100; the details buyers and channels need most weigh most.
 * Must match the column `completeness` of migrations/0007-vehicles.sql; a test compares the two.
 */
export const COMPLETENESS_WEIGHTS = {
  vin: 12,
  price: 10,
  description: 8,
  photos: 8,
  mileage: 6,
  year: 5,
  make: 5,
  model: 5,
  options: 5,
  trim: 4,
  body: 4,
  color: 4,
  engine: 4,
  fuel: 4,
  transmission: 4,
  drivetrain: 4,
  stock: 3,
  interiorColor: 3,
  doors: 2,
} as const satisfies Partial<Record<VehicleFieldName, number>>

type Weighed = keyof typeof COMPLETENESS_WEIGHTS
const isWeighed = (name: string): name is Weighed => Object.hasOwn(COMPLETENESS_WEIGHTS, name)

type KnownValues = Readonly<
  Record<Exclude<Weighed, 'price' | 'photos' | 'options'>, unknown> & {
    priceCents: number | null
    photos: readonly unknown[]
    options: readonly unknown[]
  }
>

/** The missing fields, heaviest first, with what each would add. A price of zero counts as missing. */
export function missingFields(vehicle: KnownValues): { name: Weighed; weight: number }[] {
  const { price: _price, photos: _photos, options: _options, ...plain } = COMPLETENESS_WEIGHTS
  const isThere: Record<string, boolean> = {
    ...Object.fromEntries(Object.keys(plain).map((name) => [name, hasValue(vehicle, name)])),
    price: (vehicle.priceCents ?? 0) > 0,
    photos: vehicle.photos.length > 0,
    options: vehicle.options.length > 0,
  }
  return Object.keys(COMPLETENESS_WEIGHTS)
    .filter(isWeighed)
    .filter((name) => !isThere[name])
    .map((name) => ({ name, weight: COMPLETENESS_WEIGHTS[name] }))
}

function hasValue(vehicle: KnownValues, name: string): boolean {
  const value: unknown = Object.entries(vehicle).find(([key]) => key === name)?.[1]
  return value !== null && value !== undefined
}
