import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { isCountry } from '#contract/countries.ts'
import { GRID_REGION_CODES } from './grid-regions.ts'

/** From the top down. A facility's level comes after that of its parent. */
export const LEVELS = ['group', 'entity', 'site', 'building', 'meter'] as const
export type Level = (typeof LEVELS)[number]

export const FACILITY_TYPES = [
  'showroom',
  'workshop',
  'paint_shop',
  'office',
  'storage_lot',
  'car_wash',
  'charging_hub',
  'warehouse',
] as const

export const FLOOR_UNITS = ['ft2', 'm2'] as const
export const LEASES = ['owned', 'finance_lease', 'operating_lease', 'leased_out'] as const
/** The most facilities of one organization, and the most rows of ownership and control of one facility. */
export const MAX_FACILITIES = 2_000
export const MAX_CONTROL_ROWS = 100

/** Whether a facility of one level can be in a parent of another: only if it is strictly lower. */
export function canBeIn(level: Level, parent: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(parent)
}

/** No value: null or an empty string; most fields can also be omitted. */
const nothing = [z.null(), z.literal('').transform(() => null)] as const

const isDay = (text: string) =>
  z.iso.date().safeParse(text).success && text >= '1800-01-01' && text <= '2200-12-31'
const day = (name: string) =>
  z.string(`${name} must be a date.`).refine(isDay, `${name} must be a date such as 2026-01-31.`)

export const Country = z
  .union(
    [...nothing, z.string().trim().toUpperCase().refine(isCountry, 'Choose a country.')],
    'Choose a country.',
  )
  .optional()

/** An exact number, sent as a JSON number or as digits. @returns digits */
function decimal(name: string, { most, places }: { most: number; places: number }) {
  const pattern = new RegExp(`^\\d{1,14}(\\.\\d{1,${places}})?$`)
  return z
    .union([z.string().trim(), z.number().transform(String)], `${name} must be a number.`)
    .refine(
      (text) => pattern.test(text) && Number(text) <= most,
      `${name} must be a number from 0 to ${most.toLocaleString('en')} with at most ${places} decimals.`,
    )
}

/** Ownership and control from a date until the next row. */
export const Control = z.strictObject({
  validFrom: day('From'),
  ownership: decimal('Ownership', { most: 100, places: 4 }),
  operationalControl: z.boolean('Choose whether you have operational control.'),
  financialControl: z.boolean('Choose whether you have financial control.'),
})

const staff = z
  .union(
    [
      ...nothing,
      z
        .union([
          z.number(),
          z
            .string()
            .regex(/^\d{1,7}$/)
            .transform(Number),
        ])
        .pipe(z.number().int().min(0).max(1_000_000)),
    ],
    'Employees must be a whole number from 0 to 1,000,000.',
  )
  .optional()

/** The fields of a facility, with their error messages. */
export const FACILITY_FIELDS = {
  level: z.enum(LEVELS, 'Choose group, entity, site, building or meter.'),
  parentId: z.union([...nothing, Id], 'This must be a record ID.').optional(),
  code: line(20, 'Code')
    .transform((code) => code.toUpperCase())
    .pipe(z.string().max(20, 'Code can have at most 20 characters.')),
  name: line(100, 'Name'),
  type: z.union([...nothing, z.enum(FACILITY_TYPES)], 'Choose a facility type.').optional(),
  address: optionalLine(200, 'Address'),
  city: optionalLine(100, 'City'),
  region: optionalLine(60, 'State or province'),
  postalCode: optionalLine(16, 'Postal code'),
  country: Country,
  gridRegion: z.union([...nothing, z.enum(GRID_REGION_CODES)], 'Choose a grid region.').optional(),
  floorArea: z
    .union(
      [...nothing, decimal('Floor area', { most: 100_000_000, places: 2 })],
      'Floor area must be a number.',
    )
    .optional(),
  floorUnit: z.enum(FLOOR_UNITS, 'Choose square feet or square meters.').optional(),
  staff,
  openedOn: z.union([...nothing, day('Opened')], 'Opened must be a date such as 2026-01-31.').optional(),
  closedOn: z
    .union([...nothing, day('Last day in use')], 'Last day in use must be a date such as 2026-01-31.')
    .optional(),
  lease: z.union([...nothing, z.enum(LEASES)], 'Choose a lease type.').optional(),
  lotId: z.union([...nothing, Id], 'This must be a record ID.').optional(),
  control: z
    .array(Control)
    .min(1, 'Add at least one row of ownership and control.')
    .max(MAX_CONTROL_ROWS, `A facility can have at most ${MAX_CONTROL_ROWS} rows.`)
    .superRefine((rows, context) => {
      const days = rows.map(({ validFrom }) => validFrom)
      for (const [at, one] of days.entries()) {
        if (days.indexOf(one) === at) continue
        const message = 'Another row starts on this date.'
        context.addIssue({ code: 'custom', path: [at, 'validFrom'], message })
      }
    }),
  version: Version,
}

type Days = {
  openedOn?: string | null | undefined
  closedOn?: string | null | undefined
  country?: string | null | undefined
  gridRegion?: string | null | undefined
  control?: readonly { validFrom: string }[] | undefined
}

/** The contradictions between fields of a complete facility, by field; empty if there are none. */
export function findMismatches({
  openedOn,
  closedOn,
  country,
  gridRegion,
  control,
}: Days): Record<string, string> {
  const first = control?.map(({ validFrom }) => validFrom).toSorted()[0]
  return {
    ...(openedOn &&
      closedOn &&
      closedOn < openedOn && { closedOn: 'The last day in use must not be before the opening date.' }),
    ...(gridRegion && country !== 'US' && { gridRegion: 'Grid regions apply only in the United States.' }),
    ...(openedOn &&
      first !== undefined &&
      first > openedOn && { control: 'The first row must start on or before the opening date.' }),
  }
}
