import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { Day } from '../factors/factor-schema.ts'
import { GAS_BASES } from '../factors/resolve.ts'
import { CALORIFIC_BASES } from '../factors/unit-table.ts'
import { SOURCE_NAMES } from '../inventories/source-names.ts'

/**
 * How the emissions of a record are determined. `own_factor`: with a custom factor of the organization, chosen manually.
 * `direct`: measured. `meter`: the quantity is the difference of two readings. `estimate`: never counts toward coverage.
 */
export const ACTIVITY_KINDS = ['calculated', 'own_factor', 'direct', 'estimate', 'meter'] as const

export const ESTIMATE_METHODS = ['same_month_last_year', 'average', 'floor_area', 'other'] as const
export const RECORD_STATUSES = ['draft', 'submitted', 'approved', 'returned'] as const

/** As entered: up to sixteen digits before the decimal point and twelve after it, all of which are stored. */
const Digits = z
  .string('Enter a number with a decimal point, such as 1234.5.')
  .trim()
  .regex(
    /^-?\d{1,16}(\.\d{1,12})?$/,
    'Enter a number such as 1234.5, with at most 16 digits before the decimal point and 12 after it.',
  )
const optional = <T extends z.ZodType>(inner: T) => z.union([inner, z.null()]).optional().default(null)

/** Measured emissions, in kg of the gas or in kg CO2e. */
export const DirectGas = z.strictObject({
  gas: line(40, 'Gas'),
  isBiogenic: z.boolean().optional().default(false),
  basis: z.enum(GAS_BASES, 'Choose whether this is kg of the gas or kg CO2e.'),
  kg: z
    .string()
    .regex(
      /^\d{1,16}(\.\d{1,12})?$/,
      'Enter a number such as 53.06, with at most 16 digits before the decimal point and 12 after it.',
    ),
})
export type DirectGas = z.output<typeof DirectGas>

/** What a user enters. Missing or invalid values are reported per field when the row is saved; the request isn't rejected. */
export const ActivityInput = z.strictObject({
  sourceId: Id,
  kind: z.enum(ACTIVITY_KINDS, 'Choose how the emissions are determined.').optional().default('calculated'),
  quantity: optional(Digits),
  /** As entered, such as therms or kWh (Gross CV). Null: the default unit of the source. */
  unit: optional(z.string().trim().max(60)),
  calorificBasis: optional(z.enum(CALORIFIC_BASES)),
  periodStart: Day,
  /** The last day of the period. */
  periodEnd: Day,
  meterFrom: optional(Digits),
  meterTo: optional(Digits),
  /** Chosen manually. Null: the factor of the source, or else the one that the rules pick. */
  factorId: optional(Id),
  quality: optional(z.number().int().min(1).max(5)),
  estimateMethod: optional(z.enum(ESTIMATE_METHODS)),
  direct: optional(z.array(DirectGas).min(1, 'Add at least one gas.').max(20)),
  priceYear: optional(z.number().int().min(1990).max(2100)),
  /** Units of the factor's currency per unit of the bill's currency. */
  moneyRate: optional(Digits),
  /** Price level of the factor's year relative to the bill's year. */
  moneyDeflator: optional(Digits),
  /** Bill number. */
  reference: optionalLine(100, 'Reference'),
  comment: optionalLine(1_000, 'Comment'),
  /** What the bill cost, in the currency of the organization. It isn't used in calculations. */
  cost: z
    .union([
      z.string().regex(/^-?\d{1,14}(\.\d{1,4})?$/, 'Enter an amount with a decimal point, such as 412.33.'),
      z.null(),
    ])
    .optional(),
})
export type ActivityInput = z.input<typeof ActivityInput>
export type ParsedActivity = z.output<typeof ActivityInput>

/** The emissions of a record, summed over its months inside the inventory; kg. */
export const RecordResult = z.object({
  /** kg CO2e in the scopes, electricity location-based. Null: not calculated, and `problem` says why. */
  kg: z.string().nullable(),
  /** The same with electricity market-based; equal if there are no instruments. */
  marketKg: z.string().nullable(),
  /** kg CO2e in scope 3.3 (well-to-tank, T&D losses) that follows from it. */
  upstreamKg: z.string(),
  /** Biogenic CO2, outside the scopes. */
  biogenicKg: z.string(),
  problem: z.string().nullable(),
  flags: z.array(z.string()),
  /** The factor of its first month. Null: none, or several were combined. */
  factorId: z.string().nullable(),
  factorName: z.string().nullable(),
})
export type RecordResult = z.infer<typeof RecordResult>

/** A problem with a cell. An error prevents the row from being saved; a warning doesn't. */
export const CellProblem = z.object({
  field: z.string(),
  level: z.enum(['error', 'warning']),
  message: z.string(),
})
export type CellProblem = z.infer<typeof CellProblem>

export const ActivityRecord = z.object({
  id: z.string(),
  version: z.number().int(),
  sourceId: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  sourceType: z.string(),
  ...SOURCE_NAMES,
  scope: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  quantity: z.string().nullable(),
  unit: z.string().nullable(),
  calorificBasis: z.enum(CALORIFIC_BASES).nullable(),
  periodStart: z.string(),
  periodEnd: z.string(),
  meterFrom: z.string().nullable(),
  meterTo: z.string().nullable(),
  factorId: z.string().nullable(),
  quality: z.number().int().nullable(),
  estimateMethod: z.enum(ESTIMATE_METHODS).nullable(),
  direct: z.array(DirectGas).nullable(),
  priceYear: z.number().int().nullable(),
  moneyRate: z.string().nullable(),
  moneyDeflator: z.string().nullable(),
  reference: z.string().nullable(),
  comment: z.string().nullable(),
  cost: z.string().nullable(),
  status: z.enum(RECORD_STATUSES),
  reviewComment: z.string().nullable(),
  /** How many evidence files it has. */
  evidence: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
  /** Null while it is being recalculated. */
  result: RecordResult.nullable(),
  /** What a reviewer should check: days shared with another record, the same bill in another unit, implausible quantities. */
  warnings: z.array(CellProblem),
})
export type ActivityRecord = z.infer<typeof ActivityRecord>

/** A row of the grid. `key` is the client's own ID for the row and is returned with the result. */
export const ActivityRow = z.strictObject({
  key: z.string().max(60),
  /** Only for an existing row. */
  id: Id.optional(),
  version: Version,
  record: ActivityInput,
})
