import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { INVENTORY_STATUSES } from '../inventories/inventory-schema.ts'
import { DENOMINATOR, SCOPE2_METHODS } from './ledger-schema.ts'
import { GWP_SETS } from '../factors/resolve.ts'

/**
 * What parts two inventories, in the order in which it is told apart. `boundary`: a facility came or went, or counts
 * more or less. `activity`: more or less was used. `method`: another report of the IPCC, or reckoned where it was
 * measured or imported before. `factor`: the same came to something else.
 */
export const EFFECTS = ['boundary', 'activity', 'method', 'factor'] as const
export type Effect = (typeof EFFECTS)[number]

const effects = { boundary: z.string(), activity: z.string(), method: z.string(), factor: z.string() }

/** Two sums and what lies between them, in kg CO2e: `before` and the four effects are `after`, to the last digit. */
export const BridgeLine = z.object({
  key: z.string(),
  title: z.string(),
  before: z.string(),
  after: z.string(),
  ...effects,
  /** Of `before` and `after`: imported totals. */
  importedBefore: z.string(),
  importedAfter: z.string(),
  /** Results that are none: the sums are at least what they say. */
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
  /** kg CO2e for one of what both inventories divide by, in the same unit; `change` in percent of `before`. */
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
  /** What has to be known to read it, each a sentence. */
  notes: z.array(z.string()),
})
export type Comparison = z.infer<typeof Comparison>

const Two = z.strictObject({
  before: Id,
  after: Id,
  method: z.enum(SCOPE2_METHODS, 'Choose location or market.').optional().default('location'),
})

/** Two inventories of one organization beside each other, and why they differ. */
export const carbonComparison = {
  compare: endpoint({
    method: 'GET',
    path: '/api/carbon/compare-inventories',
    allow: can(Func.carbonInsights, Opr.list),
    summary:
      'Two inventories of one organization by scope, facility and source: what boundary, activity, method and factors changed.',
    input: Two,
    output: Comparison,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/carbon/export-comparison',
    kind: 'download',
    allow: can(Func.carbonInsights, Opr.export),
    summary: 'The same as a file (CSV), in kg CO2e with every digit.',
    input: Two,
  }),
}
