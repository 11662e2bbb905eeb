import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { Day } from '../factors/factor-schema.ts'
import { GAS_BASES } from '../factors/resolve.ts'
import { CALORIFIC_BASES } from '../factors/unit-table.ts'

/**
 * How a record came by its emissions. `own_factor`: by a factor of the organization, chosen by hand. `direct`: they were
 * measured. `meter`: the quantity is the difference of two readings. `estimate`: never counted as covered.
 */
export const ACTIVITY_KINDS = ['calculated', 'own_factor', 'direct', 'estimate', 'meter'] as const

export const ESTIMATE_METHODS = ['same_month_last_year', 'average', 'floor_area', 'other'] as const
export const RECORD_STATUSES = ['draft', 'submitted', 'approved', 'returned'] as const

/** As people type it: sixteen digits before the point and twelve behind it, which the engine keeps all. */
const Digits = z
  .string('Write the number in digits, with a point: 1234.5.')
  .trim()
  .regex(/^-?\d{1,16}(\.\d{1,12})?$/, 'Write the number in digits, with a point: 1234.5.')
const optional = <T extends z.ZodType>(inner: T) => z.union([inner, z.null()]).optional().default(null)

/** Emissions that were measured, in kg of the gas or in kg CO2e. */
export const DirectGas = z.strictObject({
  gas: line(40, 'Gas'),
  isBiogenic: z.boolean().optional().default(false),
  basis: z.enum(GAS_BASES, 'Say whether the figure is kg of the gas or kg CO2e.'),
  kg: z.string().regex(/^\d{1,16}(\.\d{1,12})?$/, 'Write the figure in digits, with a point: 53.06.'),
})
export type DirectGas = z.output<typeof DirectGas>

/** What a person fills in. What is missing or wrong is told by field when the row is saved, not refused as a whole. */
export const ActivityInput = z.strictObject({
  sourceId: Id,
  kind: z.enum(ACTIVITY_KINDS, 'Choose how the emissions are known.').optional().default('calculated'),
  quantity: optional(Digits),
  /** As people type it: therms, kWh (Gross CV). Null: the usual unit of the source. */
  unit: optional(z.string().trim().max(60)),
  calorificBasis: optional(z.enum(CALORIFIC_BASES)),
  periodStart: Day,
  /** The last day of the period. */
  periodEnd: Day,
  meterFrom: optional(Digits),
  meterTo: optional(Digits),
  /** Chosen by hand. Null: that of the source, or else the engine chooses. */
  factorId: optional(Id),
  quality: optional(z.number().int().min(1).max(5)),
  estimateMethod: optional(z.enum(ESTIMATE_METHODS)),
  direct: optional(z.array(DirectGas).min(1, 'Name at least one gas.').max(20)),
  priceYear: optional(z.number().int().min(1990).max(2100)),
  /** Units of the factor's currency for one of the bill's. */
  moneyRate: optional(Digits),
  /** Prices of the factor's year for one of the bill's. */
  moneyDeflator: optional(Digits),
  /** Number of the bill. */
  reference: optionalLine(100, 'Reference'),
  comment: optionalLine(1_000, 'Comment'),
})
export type ActivityInput = z.input<typeof ActivityInput>
export type ReadActivity = z.output<typeof ActivityInput>

/** What a record comes to, over all of its months inside the inventory; kg. */
export const RecordResult = z.object({
  /** kg CO2e in the scopes, electricity by the location; null: there is none, and `problem` says why. */
  kg: z.string().nullable(),
  /** The same with electricity by what was bought; equal where nothing was. */
  marketKg: z.string().nullable(),
  /** kg CO2e of scope 3.3 that follows from it: ways to the tank, losses of the grid. */
  upstreamKg: z.string(),
  /** CO2 of plants, beside the scopes. */
  biogenicKg: z.string(),
  problem: z.string().nullable(),
  flags: z.array(z.string()),
  /** The factor of its first month; null: several gave it, or none. */
  factorId: z.string().nullable(),
  factorName: z.string().nullable(),
})
export type RecordResult = z.infer<typeof RecordResult>

export const ActivityRecord = z.object({
  id: z.string(),
  version: z.number().int(),
  sourceId: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  sourceType: z.string(),
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
  status: z.enum(RECORD_STATUSES),
  reviewComment: z.string().nullable(),
  /** How many files prove it. */
  evidence: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
  /** Null: it is reckoned anew at this moment. */
  result: RecordResult.nullable(),
})
export type ActivityRecord = z.infer<typeof ActivityRecord>

/** What is said of a cell. An error keeps the row from being saved, a warning does not. */
export const CellProblem = z.object({
  field: z.string(),
  level: z.enum(['error', 'warning']),
  message: z.string(),
})
export type CellProblem = z.infer<typeof CellProblem>

/** A row of the grid as it is sent: `key` is the screen's own name for it and comes back. */
export const ActivityRow = z.strictObject({
  key: z.string().max(60),
  /** Of a row that is there already. */
  id: Id.optional(),
  version: Version,
  record: ActivityInput,
})
