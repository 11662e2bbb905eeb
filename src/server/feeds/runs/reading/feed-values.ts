import { hash } from 'node:crypto'
import { z } from 'zod'
import type { FieldValue } from '#contract/feeds/mappings/read-vehicle-value.ts'
import {
  VEHICLE_FIELDS,
  type VehicleFieldName,
  VALUATIONS,
} from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { type AnyFieldName, MAX_PHOTOS, PhotoInput } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import { FIELD_NAMES } from './vehicle-columns.ts'

/** The values of a vehicle as stored in its columns: text, numbers, lists; photos as objects. */
export const VehicleValues = z.record(z.string(), z.unknown())
export type VehicleValues = Partial<Record<AnyFieldName, unknown>>

/** The fields that have values, standard fields first. */
export const namesIn = (values: object): AnyFieldName[] => [
  ...FIELD_NAMES.filter((name) => name in values),
  ...Object.keys(values).filter(isCustomFieldName),
]

/** The maximum length of a text, the same as in the vehicle form. */
const MAX_LENGTHS: Partial<Record<VehicleFieldName, number>> = {
  stock: 60,
  make: 60,
  model: 100,
  trim: 100,
  body: 60,
  color: 100,
  genericColor: 60,
  interiorColor: 100,
  fuel: 60,
  transmission: 100,
  drivetrain: 60,
  certification: 100,
  marketPriceSource: 100,
  bookValueSource: 100,
}
const RANGES: Partial<Record<VehicleFieldName, readonly [min: number, max: number]>> = {
  doors: [1, 9],
  whPerMile: [0, 9_999],
  co2: [0, 9_999],
  cityEconomy: [0.1, 999.9],
  highwayEconomy: [0.1, 999.9],
}
const MAX_OPTIONS = 300

/** Converts the values of a feed row to column values and drops invalid ones. */
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

/** What identifies a vehicle, and what always has a value, is never taken away. */
const KEPT = new Set<AnyFieldName>(['vin', 'stock', 'condition', 'inStockOn'])

/** The values of a row with the fields that it leaves blank as null. */
export const withBlanks = (values: VehicleValues, blank: readonly AnyFieldName[]): VehicleValues => ({
  ...Object.fromEntries(blank.filter((name) => !KEPT.has(name)).map((name) => [name, null])),
  ...values,
})

function columnValue(name: VehicleFieldName, value: FieldValue): unknown {
  // Only custom fields are booleans.
  if (typeof value === 'boolean') return null
  if (Array.isArray(value)) {
    if (name !== 'photos') return [...new Set(value)].slice(0, MAX_OPTIONS)
    const photos = value.flatMap((place) => {
      const read = PhotoInput.safeParse({ kind: 'address', place, alt: '' })
      return read.success ? [read.data] : []
    })
    return photos.length === 0 ? null : photos.slice(0, MAX_PHOTOS)
  }
  const isDecimal = VEHICLE_FIELDS[name].kind === 'decimal'
  const one = isDecimal ? Math.round(Number(value) * 10) / 10 : value
  const [min, max] = RANGES[name] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  if (typeof one === 'number') return one >= min && one <= max ? one : null
  const text = asText(one)
    .slice(0, MAX_LENGTHS[name] ?? one.length)
    .trim()
  return text === '' ? null : text
}

/** A text that PostgreSQL can store: without null characters and lone surrogates. */
export const asText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Fields added later. They are hashed only if present, so that rows without them keep their hash. */
const ADDED_LATER = new Set<string>(VALUATIONS.flatMap(({ amount, source, on }) => [amount, source, on]))
const FIRST_FIELDS = FIELD_NAMES.filter((name) => !ADDED_LATER.has(name))

/** A hash of 27 characters that detects whether a row changed since the last run. */
export function fingerprintOf(values: VehicleValues): string {
  const later = Object.entries(values)
    .filter(([name, value]) => value !== null && (ADDED_LATER.has(name) || isCustomFieldName(name)))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const text = JSON.stringify([...FIRST_FIELDS.map((name) => values[name] ?? null), ...later])
  return hash('sha1', text, 'base64url')
}

const Photos = z.array(Photo)

/**
 * Merges a vehicle's photos with those of its feed: uploaded photos stay and come first, and alt texts that users gave to feed
 * photos are preserved.
 */
export function mergePhotos(current: unknown, fromFeed: unknown): unknown {
  const existing = Photos.safeParse(current).data ?? []
  const incoming = Photos.safeParse(fromFeed).data ?? []
  const altTexts = new Map(existing.map(({ place, alt }) => [place, alt]))
  return [
    ...existing.filter(({ kind }) => kind === 'file'),
    ...incoming.map((photo) => ({ ...photo, alt: altTexts.get(photo.place) ?? photo.alt })),
  ].slice(0, MAX_PHOTOS)
}

/** "2021 Toyota Camry LE" */
export function titleOf({ year, make, model, trim, vin, stock }: VehicleValues): string {
  const name = [year, make, model, trim].filter((one) => typeof one === 'string' || typeof one === 'number')
  if (name.length > 0) return name.join(' ')
  return [vin, stock].find((one) => typeof one === 'string') ?? ''
}
