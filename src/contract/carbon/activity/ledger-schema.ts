import { z } from 'zod'
import { DENOMINATOR_KINDS } from '../inventories/inventory-schema.ts'
import { SOURCE_NAMES } from '../inventories/source-names.ts'
import { GWP_SETS } from '../factors/resolve.ts'

/**
 * The part of a record that a result covers: the activity itself, biogenic CO2 that the publisher lists separately,
 * well-to-tank (WTT) emissions of the fuel, T&D losses, and the WTT emissions of the losses.
 */
export const PARTS = ['main', 'outside', 'upstream', 'losses', 'upstream_losses'] as const
/** The parts of the ledger: imported totals are lines too. */
export const LEDGER_PARTS = [...PARTS, 'imported'] as const
/** For scope 2: by the grid of the location, or by contractual instruments. */
export const SCOPE2_METHODS = ['location', 'market'] as const

/** The gas groups of the report, each in kg CO2e. `undivided` was published only as CO2e. */
export const GAS_GROUPS = ['co2', 'ch4', 'n2o', 'hfc', 'pfc', 'sf6', 'nf3', 'undivided'] as const
export type GasGroup = (typeof GAS_GROUPS)[number]

export const LedgerRow = z.object({
  id: z.string(),
  /** Null: an imported total, which has no record. */
  recordId: z.string().nullable(),
  sourceId: z.string(),
  sourceType: z.string(),
  ...SOURCE_NAMES,
  facilityId: z.string(),
  facilityName: z.string(),
  /** First day of the month. */
  month: z.string(),
  part: z.enum(LEDGER_PARTS),
  scope: z.string(),
  method: z.enum(SCOPE2_METHODS).nullable(),
  /** The month's share of the record, in the unit of the record. */
  quantity: z.string().nullable(),
  unit: z.string().nullable(),
  /** kg CO2e; null: not calculated, and `problem` says why. */
  kg: z.string().nullable(),
  biogenicKg: z.string(),
  otherKg: z.string(),
  factorId: z.string().nullable(),
  factorName: z.string().nullable(),
  publisher: z.string().nullable(),
  edition: z.string().nullable(),
  isEstimate: z.boolean(),
  problem: z.string().nullable(),
  /** `latest`, `country`, `fixed`, `no-instrument`, `certificates`, `outside-period`, `imported` ... */
  flags: z.array(z.string()),
})
export type LedgerRow = z.infer<typeof LedgerRow>

/** A result in the list of all inventories. */
export const ListedResult = LedgerRow.extend({
  inventoryId: z.string(),
  inventoryName: z.string(),
  /** Of the record: its invoice number, for example. */
  reference: z.string().nullable(),
  formula: z.string().nullable(),
})
export type ListedResult = z.infer<typeof ListedResult>

/** kg CO2e by both methods of scope 2. The other scopes are in both. */
const both = {
  location: z.string(),
  market: z.string(),
}

export const SCOPES = ['1', '2', '3'] as const
export type Scope = (typeof SCOPES)[number]

export const TotalLine = z.object({
  /** A scope (`1`, `3.3`), a month, the ID of a facility or source, or a gas. */
  key: z.string(),
  title: z.string(),
  ...both,
  biogenic: z.string(),
  /** kg CO2e of gases outside the Kyoto Protocol, reported separately from the scopes. */
  other: z.string(),
  /** The part of `location` and `market` that was imported as totals, without activity records. */
  imported: z.string(),
  importedMarket: z.string(),
  /** Number of missing results. If above 0, the sums are minimums. */
  missing: z.number().int(),
  estimated: z.number().int(),
})
export type TotalLine = z.infer<typeof TotalLine>

/** What emissions are divided by: `amount` in `unit`. */
export const DENOMINATOR = {
  kind: z.enum(DENOMINATOR_KINDS),
  /** Only of custom denominators. */
  name: z.string().nullable(),
  amount: z.string(),
  unit: z.string(),
}

export const Totals = z.object({
  inventory: z.object({
    id: z.string(),
    name: z.string(),
    periodStart: z.string(),
    periodEnd: z.string(),
    gwpSet: z.enum(GWP_SETS),
    status: z.string(),
  }),
  total: TotalLine,
  scopes: z.array(TotalLine),
  facilities: z.array(TotalLine),
  sources: z.array(TotalLine.extend({ facilityName: z.string() })),
  months: z.array(TotalLine),
  /** kg CO2e of each month for scopes 1, 2 and 3, without what is outside the scopes. */
  monthScopes: z.array(z.object({ month: z.string(), scope: z.enum(SCOPES), ...both })),
  gases: z.array(TotalLine),
  /**
   * kg CO2e from factors published in CO2e with other GWPs than those of the inventory. Null: the publisher doesn't state
   * the set.
   */
  otherGwps: z.array(z.object({ gwpSet: z.enum(GWP_SETS).nullable(), ...both })),
  /** kg CO2e per unit of each denominator, in the order of the inventory. */
  intensities: z.array(z.object({ ...DENOMINATOR, ...both })),
  /** The fifteen categories with their relevance in the inventory. */
  scope3: z.array(
    z.object({ category: z.number().int(), relevance: z.string(), reason: z.string().nullable() }),
  ),
  /** "94 of 120 expected data points": estimates and records without a result don't count. */
  coverage: z.object({
    expected: z.number().int(),
    there: z.number().int(),
    /** How many of the missing ones have an estimate. */
    estimated: z.number().int(),
    /** How many have nothing at all: no records, no estimate, no imported total. */
    empty: z.number().int(),
    sentence: z.string(),
    facilities: z.array(
      z.object({
        facilityId: z.string(),
        expected: z.number().int(),
        there: z.number().int(),
        /** Without records, estimates or imported totals. */
        missing: z.number().int(),
      }),
    ),
    missing: z.array(
      z.object({
        sourceId: z.string(),
        sourceType: z.string(),
        ...SOURCE_NAMES,
        facilityName: z.string(),
        from: z.string(),
        to: z.string(),
      }),
    ),
    /** First days of the months with a missing data point. */
    incompleteMonths: z.array(z.string()),
    /** Sources whose records share days, and how many days are counted twice. */
    overlaps: z.array(
      z.object({
        sourceId: z.string(),
        sourceType: z.string(),
        ...SOURCE_NAMES,
        facilityName: z.string(),
        days: z.number().int(),
      }),
    ),
  }),
  /** Why the total is a minimum, besides missing results: missing data points, and relevant scope 3 categories without figures. */
  gaps: z.object({ points: z.number().int(), categories: z.array(z.number().int()) }),
  records: z.object({
    total: z.number().int(),
    approved: z.number().int(),
    submitted: z.number().int(),
    /** How many of the submitted ones are flagged (`UnusualActivity`). */
    unusual: z.number().int(),
  }),
  /** Sources that are being recalculated. */
  pending: z.number().int(),
})
export type Totals = z.infer<typeof Totals>
