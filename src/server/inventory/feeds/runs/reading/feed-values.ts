import { hash } from 'node:crypto'
import { z } from 'zod'
import type { FieldValue } from '#contract/inventory/feeds/mappings/read-vehicle-value.ts'
import {
  VEHICLE_FIELDS,
  type VehicleFieldName,
  VALUATIONS,
} from '#contract/inventory/vehicles/vehicle-fields.ts'
import { isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { type AnyFieldName, MAX_PHOTOS, PhotoInput } from '#contract/inventory/vehicles/vehicle-input.ts'
import { Photo } from '#contract/inventory/vehicles/vehicles.ts'
import { FIELD_NAMES } from './vehicle-columns.ts'

/** The values of a vehicle as its columns hold them: text, numbers, lists; photos as objects. */
export const VehicleValues = z.record(z.string(), z.unknown())
export type VehicleValues = Partial<Record<AnyFieldName, unknown>>

/** The fields that values are of, those of every vehicle first. */
export const namesIn = (values: object): AnyFieldName[] => [
  ...FIELD_NAMES.filter((name) => name in values),
  ...Object.keys(values).filter(isCustomFieldName),
]

/** So long a text may be that somebody can still edit by hand. */
const LONGEST: Partial<Record<VehicleFieldName, number>> = {
  stock: 60,
  make: 60,
  model: 100,
  trim: 100,
  body: 60,
  colour: 100,
  genericColour: 60,
  interiorColour: 100,
  fuel: 60,
  transmission: 100,
  drivetrain: 60,
  certification: 100,
  marketPriceSource: 100,
  bookValueSource: 100,
}
const MOST: Partial<Record<VehicleFieldName, readonly [least: number, most: number]>> = {
  doors: [1, 9],
  whPerMile: [0, 9_999],
  co2: [0, 9_999],
  cityEconomy: [0.1, 999.9],
  highwayEconomy: [0.1, 999.9],
}
const MOST_OPTIONS = 300

/** What a row of a feed says, as columns hold it: without what none of them takes. */
export function columnValues(values: Partial<Record<AnyFieldName, FieldValue>>): VehicleValues {
  const kept: VehicleValues = {}
  for (const name of FIELD_NAMES) {
    const value = values[name]
    const read = value === undefined ? null : columnValue(name, value)
    if (read !== null) kept[name] = read
  }
  for (const name of Object.keys(values).filter(isCustomFieldName)) {
    const value = values[name]
    if (value !== undefined) kept[name] = typeof value === 'string' ? asText(value) : value
  }
  return kept
}

function columnValue(name: VehicleFieldName, value: FieldValue): unknown {
  // Only the customer's own fields are yes or no.
  if (typeof value === 'boolean') return null
  if (Array.isArray(value)) {
    if (name !== 'photos') return [...new Set(value)].slice(0, MOST_OPTIONS)
    const photos = value.flatMap((place) => {
      const read = PhotoInput.safeParse({ kind: 'address', place, alt: '' })
      return read.success ? [read.data] : []
    })
    return photos.length === 0 ? null : photos.slice(0, MAX_PHOTOS)
  }
  const isDecimal = VEHICLE_FIELDS[name].kind === 'decimal'
  const one = isDecimal ? Math.round(Number(value) * 10) / 10 : value
  const [least, most] = MOST[name] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  if (typeof one === 'number') return one >= least && one <= most ? one : null
  const text = asText(one)
    .slice(0, LONGEST[name] ?? one.length)
    .trim()
  return text === '' ? null : text
}

/** What the database can keep of a text: no zeros, no halves of characters. */
export const asText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Fields that came later: where a row has none of them, its print is the one it always had. */
const LATER = new Set<string>(VALUATIONS.flatMap(({ amount, source, on }) => [amount, source, on]))
const FIRST_FIELDS = FIELD_NAMES.filter((name) => !LATER.has(name))

/** Tells a row from its next state: 27 signs. The same values make the same print. */
export function rowHash(values: VehicleValues): string {
  const later = Object.entries(values)
    .filter(([name]) => LATER.has(name) || isCustomFieldName(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const text = JSON.stringify([...FIRST_FIELDS.map((name) => values[name] ?? null), ...later])
  return hash('sha1', text, 'base64url')
}

const Photos = z.array(Photo)

/**
 * The photos of a vehicle once its feed was read: those that people uploaded stay and come first, and the words they gave
 * to the feed's own stay with them.
 */
export function joinPhotos(present: unknown, coming: unknown): unknown {
  const kept = Photos.safeParse(present).data ?? []
  const given = Photos.safeParse(coming).data ?? []
  const words = new Map(kept.map(({ place, alt }) => [place, alt]))
  return [
    ...kept.filter(({ kind }) => kind === 'file'),
    ...given.map((photo) => ({ ...photo, alt: words.get(photo.place) ?? photo.alt })),
  ].slice(0, MAX_PHOTOS)
}

/** "2021 Toyota Camry LE" */
export function titleOf({ year, make, model, trim, vin, stock }: VehicleValues): string {
  const name = [year, make, model, trim].filter((one) => typeof one === 'string' || typeof one === 'number')
  if (name.length > 0) return name.join(' ')
  return [vin, stock].find((one) => typeof one === 'string') ?? ''
}
