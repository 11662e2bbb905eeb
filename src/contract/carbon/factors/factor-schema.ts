import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { FactorGas, GAS_BASES, GWP_SETS, needsGwpSet, Resolved } from './resolve.ts'
import { CALORIFIC_BASES } from './unit-table.ts'

/** The part of the value chain a factor covers. */
export const BOUNDARIES = [
  'ttw',
  'wtt',
  'generation',
  'td-loss',
  'waste-treatment',
  'fugitive',
  'supply',
  'cradle-to-gate',
  'lifecycle',
] as const
export type Boundary = (typeof BOUNDARIES)[number]

export const USES = ['inventory', 'avoided'] as const
export const ORIGINS = ['library', 'own', 'imported'] as const

/** A date: 2025-01-31. */
export const Day = z
  .string('Enter a date such as 2025-01-31.')
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Enter a date such as 2025-01-31.')
  .refine(isDay, "This date doesn't exist.")

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && date.getUTCFullYear() >= 1990
}

/** Scope 1 or 2, a scope 3 category (3.1 to 3.15), scope 3 as a whole, or outside. */
export const Scope = z
  .string('Choose a scope.')
  .regex(/^(1|2|3|3\.([1-9]|1[0-5])|outside)$/, 'Scope must be 1, 2, 3, 3.1 to 3.15, or outside.')

/** ISO country, optionally with a grid subregion or province, or `any` if the factor applies everywhere. */
export const Region = z
  .string('Region is required.')
  .trim()
  .regex(
    /^(any|[A-Z]{2}(-[A-Z0-9]{1,12})?)$/,
    'Region must be a country such as CA, a subregion such as CA-QC or US-CAMX, or "any".',
  )

const PRICE_YEAR = 'Price year must be a year from 1990 to 2100.'

const kg = z
  .string('kg per unit must be text.')
  .overwrite(trimmed)
  .min(1, 'kg per unit is required.')
  .regex(/^(?!-)/, "kg per unit can't be negative.")
  .regex(/^-?\d{1,15}(\.\d{1,20})?$/, 'kg per unit must be a number such as 53.06.')

/** The path by which an activity finds its factors: `electricity/grid`. */
export const Activity = z
  .string('Activity is required.')
  .trim()
  .max(200, 'Activity can have at most 200 characters.')
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*(\/[a-z0-9]+(-[a-z0-9]+)*)*$/,
    'Enter an activity such as electricity/grid: lowercase letters, digits, hyphens and slashes.',
  )

const factor = {
  name: line(200, 'Name'),
  category: line(200, 'Category'),
  activity: Activity,
  scopes: z.array(Scope).min(1, 'Choose a scope.').max(6, 'Choose at most 6 scopes.'),
  region: Region,
  /** As entered, such as gal, therms or kWh (Gross CV). */
  unit: line(60, 'Unit'),
  calorificBasis: z.enum(CALORIFIC_BASES, 'Choose the calorific value.').nullable().optional(),
  boundary: z.enum(BOUNDARIES, 'Choose what the factor covers.'),
  validFrom: Day,
  validTo: z.union([Day, z.null()]).optional(),
  priceYear: z
    .number(PRICE_YEAR)
    .int(PRICE_YEAR)
    .min(1990, PRICE_YEAR)
    .max(2100, PRICE_YEAR)
    .nullable()
    .optional(),
  gases: z
    .array(
      z.strictObject({
        gas: line(40, 'Gas'),
        isBiogenic: z.boolean().optional().default(false),
        basis: z.enum(GAS_BASES, 'Choose whether this is kg of the gas or kg CO2e.'),
        kg,
      }),
    )
    .min(1, 'Add at least one gas.')
    .max(20, 'Add at most 20 gases.'),
  table: optionalLine(200, 'Table'),
  rows: optionalLine(200, 'Row'),
  note: optionalLine(500, 'Note'),
}

/** A custom factor. `sourceNote` cites the source, so that an auditor can find it. */
export const FactorInput = z
  .strictObject({
    ...factor,
    sourceNote: line(500, 'Source'),
    /** For all organizations of the customer. Requires access to the whole customer. */
    isForAll: z.boolean().optional().default(false),
    /** The IPCC report behind the figures in kg CO2e. Null: the source doesn't state it. */
    gwpSet: z.union([z.enum(GWP_SETS), z.null()], 'Choose AR4, AR5 or AR6.').optional(),
  })
  .superRefine(checkFactor)
  .superRefine(({ gases, gwpSet }, context) => {
    if (gwpSet === undefined || gwpSet === null || needsGwpSet(gases)) return
    const message = 'Leave this empty: the GWP set of the inventory is used for kg of a gas.'
    context.addIssue({ code: 'custom', path: ['gwpSet'], message })
  })
export type FactorInput = z.input<typeof FactorInput>

/** How many records of open inventories change, as the caller has seen it. Required if there are any. */
const affected = z.number().int().min(0).optional()

/** A new custom factor, with what the caller has seen of its effect (`preview-factor`). */
export const NewFactor = FactorInput.safeExtend({ affected })

type Checked = Pick<z.output<z.ZodObject<typeof factor>>, 'gases' | 'validFrom' | 'validTo'>

function checkFactor({ gases, validFrom, validTo }: Checked, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  if (typeof validTo === 'string' && validTo < validFrom)
    refuse(['validTo'], 'The last day must not be before the first.')
  const names = gases.map(({ gas, isBiogenic }) => `${gas} ${isBiogenic}`)
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (twice >= 0) refuse(['gases', twice, 'gas'], 'This gas is already listed.')
  const hasTotal = gases.some(({ gas }) => gas === 'CO2e')
  for (const [at, { gas, basis, isBiogenic }] of gases.entries()) {
    if (gas === 'CO2e' && basis !== 'co2e')
      refuse(['gases', at, 'basis'], 'CO2e is always in kg CO2e, not in kg of a gas.')
    // With a CO2e total, kg of a gas would be multiplied by its GWP and counted a second time.
    if (hasTotal && basis === 'gas' && !(gas === 'CO2' && isBiogenic))
      refuse(['gases', at, 'basis'], 'With a CO2e total, the gases must be in kg CO2e too.')
  }
}

export const FactorRow = z.object({
  id: z.string(),
  origin: z.enum(ORIGINS),
  /** Null: from the library, or for all organizations of the customer. */
  organizationId: z.string().nullable(),
  datasetId: z.string().nullable(),
  publisher: z.string(),
  dataset: z.string(),
  edition: z.string(),
  year: z.number().int(),
  scopes: z.array(z.string()),
  category: z.string(),
  activity: z.string(),
  name: z.string(),
  region: z.string(),
  unit: z.string(),
  calorificBasis: z.enum(CALORIFIC_BASES).nullable(),
  boundary: z.enum(BOUNDARIES),
  use: z.enum(USES),
  validFrom: z.string(),
  validTo: z.string().nullable(),
  supersededBy: z.string().nullable(),
  gases: z.array(FactorGas),
  /** kg CO2e per unit by AR5; null if a gas has no GWP. */
  co2e: z.string().nullable(),
})
export type FactorRow = z.infer<typeof FactorRow>

export const Factor = FactorRow.extend({
  license: z.string(),
  attribution: z.string(),
  url: z.string().nullable(),
  /** The IPCC report whose GWPs the publisher used. */
  gwpSet: z.string().nullable(),
  priceYear: z.number().int().nullable(),
  table: z.string().nullable(),
  rows: z.string().nullable(),
  note: z.string().nullable(),
  sourceNote: z.string().nullable(),
  createdAt: z.string().nullable(),
  createdBy: z.string().nullable(),
  /** Counts the corrections of the factor, from 1. */
  version: z.number().int(),
  /** The former versions, newest first. */
  replaces: z.array(z.object({ id: z.string(), createdAt: z.string().nullable() })),
  /** Emissions per unit with each GWP set. */
  resolved: z.array(Resolved),
})
export type Factor = z.infer<typeof Factor>

/** `id` may be any version of the factor: the newest one is replaced. */
export const FactorChange = z.strictObject({ id: Id, version: Version, factor: FactorInput, affected })
