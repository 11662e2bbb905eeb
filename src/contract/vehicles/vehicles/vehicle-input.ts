import { z } from 'zod'
import {
  CustomFieldName,
  CustomValue,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { foldCase } from '#contract/expressions/fold-case.ts'
import { readPath } from '#contract/files/names.ts'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { CONDITIONS, ELECTRIFICATIONS, VEHICLE_STATUSES } from './vehicle-choices.ts'
import { VIN_FILLED } from '../vin/vin-values.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from './vehicle-fields.ts'

const MAX_CENTS = 100_000_000_000
export const MAX_PHOTOS = 200
const MAX_OPTIONS = 300
/** Same limit as in the database. */
export const MAX_TAGS = 30
const MAX_DESCRIPTION = 20_000

/** "9,999,999", but "2100": years have no separator. */
const limit = new Intl.NumberFormat('en', { useGrouping: 'min2' })

const whole = (title: string, least: number, most: number) => {
  const sentence = `${title} must be a whole number from ${least} to ${limit.format(most)}.`
  return z.number(sentence).int(sentence).min(least, sentence).max(most, sentence).nullable().optional()
}

const decimal = (title: string) => {
  const sentence = `${title} must be a number from 0.1 to 999.9, with at most one decimal.`
  return z
    .number(sentence)
    .min(0.1, sentence)
    .max(999.9, sentence)
    .refine((value) => Number(value.toFixed(1)) === value, sentence)
    .nullable()
    .optional()
}

const money = (title: string) =>
  z
    .number(`${title} must be a number.`)
    .int(`${title} must be in whole cents.`)
    .min(0, `${title} can't be negative.`)
    .max(MAX_CENTS, `${title} can be at most 1,000,000,000.`)
    .nullable()
    .optional()

const day = (title: string) => {
  const sentence = `${title} must be a date such as 2026-03-01.`
  return z
    .union([z.null(), z.literal('').transform(() => null), z.string(sentence).refine(isDay, sentence)])
    .optional()
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && text >= '1885-01-01'
}

/** Upper case without spaces. VINs with a wrong check digit are accepted, and older VINs have fewer than 17 characters. */
const Vin = z
  .string('VIN must be text.')
  .nullable()
  .transform((text) => text?.replace(/[\s-]/g, '').toUpperCase() || null)
  .pipe(
    z
      .string()
      .regex(/^[A-Z0-9]{1,32}$/, 'VIN may have only letters and digits, at most 32 characters.')
      .nullable(),
  )
  .optional()

/** Multi-line text. */
const Description = z
  .string('Description must be text.')
  .trim()
  .max(MAX_DESCRIPTION, `Description may have at most ${MAX_DESCRIPTION.toLocaleString('en')} characters.`)
  .refine(isPlainText, 'Description contains characters that are not allowed. Remove control characters.')
  .nullable()
  .transform((text) => (text === '' ? null : text))
  .optional()

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\n\r\t]|[\uFFFE\uFFFF]/u.test(text)
}

const NO_ADDRESS = 'Enter a web address that starts with https:// or http://.'

const WebAddress = z.url({ protocol: /^https?$/ })
const isWebAddress = (text: string): boolean => WebAddress.safeParse(text).success

const PageUrl = z
  .union([
    z.null(),
    z.literal('').transform(() => null),
    line(2_000, 'Vehicle page URL').refine(isWebAddress, NO_ADDRESS),
  ])
  .optional()

const alt = z
  .union([z.null().transform(() => ''), z.literal(''), line(300, 'The photo description')])
  .optional()
  .default('')

/** A photo: a URL, or the path of a file in the customer's media. `alt`: its text description. */
export const PhotoInput = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('address'),
      place: line(2_000, 'The photo URL').refine(isWebAddress, NO_ADDRESS),
      alt,
    }),
    z.strictObject({
      kind: z.literal('file'),
      place: line(900, 'The path').refine((path) => {
        const read = readPath(path)
        return 'names' in read && read.names.length > 0
      }, "This isn't a file path."),
      alt,
    }),
  ],
  'A photo must be a URL or a file.',
)

/** A standard vehicle field or a custom field. */
export type AnyFieldName = VehicleFieldName | CustomFieldName
const isFieldName = (name: unknown): name is AnyFieldName =>
  isCustomFieldName(name) || (typeof name === 'string' && Object.hasOwn(VEHICLE_FIELDS, name))

export const FieldName = z.custom<AnyFieldName>(isFieldName, "This isn't a vehicle field.")

/** Custom field values by name. Fields that aren't sent are not changed; null clears a value. */
const Custom = z
  .record(CustomFieldName, z.union([z.null(), CustomValue], 'A value must be text, a number, or yes or no.'))
  .optional()

/** Vehicle values; fields that aren't sent are not changed. Amounts are integer cents in the customer's currency. */
const values = {
  vin: Vin,
  stock: optionalLine(60, 'Stock number'),
  condition: z.enum(CONDITIONS, 'Condition must be new, used, cpo or demo.').optional(),
  year: whole('Year', 1885, 2100),
  make: optionalLine(60, 'Make'),
  model: optionalLine(100, 'Model'),
  trim: optionalLine(100, 'Trim'),
  body: optionalLine(60, 'Body'),
  doors: whole('Doors', 1, 9),
  color: optionalLine(100, 'Exterior color'),
  genericColor: optionalLine(60, 'Generic color'),
  interiorColor: optionalLine(100, 'Interior color'),
  mileage: whole('Mileage', 0, 9_999_999),
  engine: optionalLine(200, 'Engine'),
  fuel: optionalLine(60, 'Fuel'),
  electrification: z.enum(ELECTRIFICATIONS, 'Choose an electrification type.').nullable().optional(),
  transmission: optionalLine(100, 'Transmission'),
  drivetrain: optionalLine(60, 'Drivetrain'),
  cityEconomy: decimal('City economy'),
  highwayEconomy: decimal('Highway economy'),
  whPerMile: whole('Wh/mi', 0, 9_999),
  co2: whole('CO2 g/km', 0, 9_999),
  options: z
    .array(line(200, 'An option'), 'Options must be a list of text values.')
    .max(MAX_OPTIONS, `A vehicle may have at most ${MAX_OPTIONS} options.`)
    .transform((options) => [...new Set(options)])
    .optional(),
  description: Description,
  msrpCents: money('MSRP'),
  invoiceCents: money('Invoice'),
  costCents: money('Cost'),
  feedPriceCents: money('Feed price'),
  priceCents: money('Price'),
  marketPriceCents: money('Market price'),
  marketPriceSource: optionalLine(100, 'Market price source'),
  marketPriceOn: day('Market price as of'),
  bookValueCents: money('Book value'),
  bookValueSource: optionalLine(100, 'Book value source'),
  bookValueOn: day('Book value as of'),
  inStockOn: day('In stock since'),
  certification: optionalLine(100, 'CPO program'),
  pageUrl: PageUrl,
  photos: z
    .array(PhotoInput, 'Photos must be a list.')
    .max(MAX_PHOTOS, `A vehicle may have at most ${MAX_PHOTOS} photos.`)
    .optional(),
  custom: Custom,
}

/** Tags; duplicates that differ only in case are removed. */
const Tags = z
  .array(line(40, 'A tag'), 'Tags must be a list of text values.')
  .max(MAX_TAGS, `A vehicle may have at most ${MAX_TAGS} tags.`)
  .transform(withoutDuplicates)
  .optional()

/** Keeps the first spelling of each tag. */
function withoutDuplicates(tags: readonly string[]): string[] {
  return tags.filter((tag, at) => tags.findIndex((other) => foldCase(other) === foldCase(tag)) === at)
}

const place = {
  tags: Tags,
  status: z.enum(VEHICLE_STATUSES, 'Choose a status.').optional(),
  statusReason: optionalLine(200, 'Reason'),
  /** Fields that the caller filled in from the decoded VIN. Their source is the VIN if the value is what it decodes to, and they aren't locked. */
  fromVin: z.array(z.enum(VIN_FILLED, "This isn't a field that a VIN decodes to.")).optional().default([]),
  confirmPrices: ConfirmPrices,
  /** Locks the changed fields so that feeds don't overwrite them, unless this is false. */
  locksEdits: z.boolean('This must be true or false.').optional().default(true),
}

/** Maximum number of grid rows saved in one call. */
export const MAX_CELL_ROWS = 500

/** A grid row: the version it was loaded with and its changed cells. */
export const VehicleCells = z
  .strictObject({
    id: Id,
    version: Version.nonoptional('The version is required.'),
    priceCents: values.priceCents,
    stock: values.stock,
    lotId: Id.optional(),
    status: place.status,
    statusReason: place.statusReason,
    tags: place.tags,
    custom: values.custom,
  })
  .refine(
    ({ id: _id, version: _version, custom = {}, ...cells }) =>
      Object.keys(cells).length + Object.keys(custom).length > 0,
    'Change at least one cell.',
  )
export type VehicleCells = z.input<typeof VehicleCells>

export const NewVehicle = z.strictObject({ ...values, ...place, lotId: Id })
export type NewVehicle = z.input<typeof NewVehicle>

const answered = z.unknown().optional()

/** Accepts the full response of `edit-vehicle`; fields that aren't sent are not changed. */
export const VehicleChange = z
  .strictObject({
    ...values,
    ...place,
    id: Id,
    lotId: Id.optional(),
    version: Version,
    /** Locks and unlocks fields explicitly, including fields edited in the same call. */
    locks: z.partialRecord(FieldName, z.boolean('This must be true or false.')).optional().default({}),
    organizationId: answered,
    lotName: answered,
    distanceUnit: answered,
    currency: answered,
    priceState: answered,
    sourcePriceCents: answered,
    asksPrice: answered,
    sellingPriceCents: answered,
    totalPriceCents: answered,
    daysInStock: answered,
    photoCount: answered,
    photo: answered,
    completeness: answered,
    notPublishedReason: answered,
    published: answered,
    provenance: answered,
    locked: answered,
    updatedAt: answered,
    updatedBy: answered,
  })
  .transform(
    ({
      organizationId: _organization,
      lotName: _lot,
      distanceUnit: _unit,
      currency: _currency,
      priceState: _priceState,
      sourcePriceCents: _sourcePrice,
      asksPrice: _asksPrice,
      sellingPriceCents: _selling,
      totalPriceCents: _total,
      daysInStock: _days,
      photoCount: _photos,
      photo: _photo,
      completeness: _completeness,
      notPublishedReason: _notPublishedReason,
      published: _published,
      provenance: _provenance,
      locked: _locked,
      updatedAt: _at,
      updatedBy: _by,
      ...change
    }) => change,
  )
