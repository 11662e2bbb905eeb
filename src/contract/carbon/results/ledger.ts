import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { ActivityRecord } from '../activity/activity-schema.ts'
import { paged } from '../activity/activity.ts'
import { Factor } from '../factors/factor-schema.ts'
import { LEDGER_LIST } from './ledger-list.ts'
import { LedgerRow, ListedResult, SCOPE2_METHODS, Totals } from '../activity/ledger-schema.ts'
import { Resolved } from '../factors/resolve.ts'

export const ExplainedResult = LedgerRow.extend({
  /** The whole calculation on one line: quantity, conversion, factor, inclusion, result. */
  formula: z.string().nullable(),
  conversion: z.string().nullable(),
  /** The counted quantity, in the unit of the factor. */
  amount: z.string().nullable(),
  gwpSet: z.string(),
  /** In percent. */
  inclusion: z.string().nullable(),
  inclusionReason: z.string(),
  engineVersion: z.number().int(),
  calculatedAt: z.string(),
  /** With publisher, edition, table and row. */
  factor: Factor.nullable(),
  /** Emissions per unit of the factor, by gas. */
  perUnit: Resolved.nullable(),
  record: ActivityRecord.nullable(),
})
export type ExplainedResult = z.infer<typeof ExplainedResult>

/** The emissions of an inventory, and how they were calculated. */
export const ledger = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-results',
    allow: can(Func.carbonInsights, Opr.list),
    summary:
      'Returns the results of all inventories as a queried list. Searches source, facility, emission factor and reference.',
    input: listQuery(LEDGER_LIST),
    output: queriedList(ListedResult),
  }),
  totals: endpoint({
    method: 'GET',
    path: '/api/carbon/get-totals',
    allow: can(Func.carbonInsights, Opr.list),
    summary:
      'Returns the emissions of an inventory by scope, facility, source, month and gas, by both methods of scope 2, with its coverage.',
    input: z.strictObject({ inventoryId: Id }),
    output: Totals,
  }),
  rows: endpoint({
    method: 'GET',
    path: '/api/carbon/get-ledger',
    allow: can(Func.carbonInsights, Opr.list),
    summary: 'Returns the results behind a total as a queried list.',
    input: z.strictObject({
      inventoryId: Id,
      /** A scope or category: 1, 2, 3.3; 3 stands for all of scope 3. */
      scope: z
        .string()
        .regex(/^(1|2|3|3\.\d{1,2}|outside)$/, 'A scope is 1, 2, 3, 3.1 to 3.15, or outside.')
        .optional(),
      method: z.enum(SCOPE2_METHODS).optional(),
      facilityId: Id.optional(),
      sourceId: Id.optional(),
      recordId: Id.optional(),
      factorId: Id.optional(),
      /** Only results that are missing. */
      isMissing: z
        .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
        .optional(),
      month: z
        .string()
        .regex(/^\d{4}-\d{2}-01$/, 'Enter a month as its first day, such as 2025-01-01.')
        .optional(),
      ...paged,
    }),
    output: queriedList(LedgerRow),
  }),
  explain: endpoint({
    method: 'GET',
    path: '/api/carbon/explain-result/{id}',
    allow: can(Func.carbonInsights, Opr.read),
    summary:
      'Returns one result with its formula, its emission factor (publisher, edition, table and row), and its record.',
    input: z.strictObject({ id: Id }),
    output: ExplainedResult,
  }),
  recalculate: endpoint({
    method: 'POST',
    path: '/api/carbon/recalculate-inventory',
    allow: can(Func.carbonEmission, Opr.update),
    summary: 'Recalculates the stale sources of an inventory and waits for the result.',
    input: z.strictObject({ inventoryId: Id }),
    output: z.object({ pending: z.number().int() }),
  }),
}
