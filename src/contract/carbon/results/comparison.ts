import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { INVENTORY_STATUSES } from '../inventories/inventory-schema.ts'
import { DENOMINATOR, SCOPE2_METHODS } from '../activity/ledger-schema.ts'
import { GWP_SETS } from '../factors/resolve.ts'

/**
 * Why two inventories differ, in the order in which effects are separated. `boundary`: a facility was added or removed, or
 * its inclusion changed. `activity`: more or less was used. `method`: another GWP set, or calculated instead of measured
 * or imported. `factor`: the same activity has a different emission factor. These four are calculated on the data points
 * that both inventories have. `coverage`: emissions of data points that only one of them has.
 */
export const EFFECTS = ['boundary', 'activity', 'method', 'factor', 'coverage'] as const
export type Effect = (typeof EFFECTS)[number]

const effects = {
  boundary: z.string(),
  activity: z.string(),
  method: z.string(),
  factor: z.string(),
  coverage: z.string(),
}

/** Two sums and their difference in kg CO2e: `before` plus the effects is exactly `after`. */
export const BridgeLine = z.object({
  key: z.string(),
  title: z.string(),
  before: z.string(),
  after: z.string(),
  ...effects,
  /** The part of `before` and `after` from data points that the other inventory doesn't have. */
  unmatchedBefore: z.string(),
  unmatchedAfter: z.string(),
  /** The part of `before` and `after` that comes from imported totals. */
  importedBefore: z.string(),
  importedAfter: z.string(),
  /** Number of missing results. If above 0, the sums are minimums. */
  missingBefore: z.number().int(),
  missingAfter: z.number().int(),
})
export type BridgeLine = z.infer<typeof BridgeLine>

export const ComparedInventory = z.object({
  id: z.string(),
  name: z.string(),
  organizationName: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  status: z.enum(INVENTORY_STATUSES),
  boundary: z.enum(CONSOLIDATIONS),
  gwpSet: z.enum(GWP_SETS),
  /** "94 of 120 expected data points". */
  coverage: z.string(),
  /** Expected data points without records, estimates or imported totals. If above 0, the total is a minimum. */
  missingPoints: z.number().int(),
})
export type ComparedInventory = z.infer<typeof ComparedInventory>

export const Comparison = z.object({
  method: z.enum(SCOPE2_METHODS),
  before: ComparedInventory,
  after: ComparedInventory,
  total: BridgeLine,
  scopes: z.array(BridgeLine),
  facilities: z.array(BridgeLine),
  sources: z.array(BridgeLine),
  /** kg CO2e per unit of each denominator that both inventories have; `change` in percent of `before`. */
  intensities: z.array(
    z.object({
      kind: DENOMINATOR.kind,
      name: DENOMINATOR.name,
      unit: DENOMINATOR.unit,
      before: z.string(),
      after: z.string(),
      change: z.string().nullable(),
    }),
  ),
  /** Notes on how to read the comparison. */
  notes: z.array(z.string()),
})
export type Comparison = z.infer<typeof Comparison>

const Two = z.strictObject({
  before: Id,
  after: Id,
  method: z.enum(SCOPE2_METHODS, 'Choose location or market.').optional().default('location'),
})

/** Compares two inventories of one organization and explains the difference. */
export const carbonComparison = {
  compare: endpoint({
    method: 'GET',
    path: '/api/carbon/compare-inventories',
    allow: can(Func.carbonInsights, Opr.list),
    summary:
      'Compares two inventories of one organization by scope, facility and source, with the effects of boundary, activity, method and factors on the data points that both have, and the rest as coverage.',
    input: Two,
    output: Comparison,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/carbon/export-comparison',
    kind: 'download',
    allow: can(Func.carbonInsights, Opr.export),
    summary: 'Downloads the comparison as CSV, in kg CO2e without rounding.',
    input: Two,
  }),
}
