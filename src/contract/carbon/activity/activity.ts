import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line, optionalLine } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { queriedList } from '#contract/queried-list.ts'
import {
  ActivityInput,
  ActivityRecord,
  ActivityRow,
  CellProblem,
  RECORD_STATUSES,
  RecordResult,
} from './activity-schema.ts'
import { FactorChoice } from '../factors/find-factor.ts'
import { LedgerRow } from './ledger-schema.ts'
import { GWP_SETS, Resolved } from '../factors/resolve.ts'
import { UnusualActivity } from '../review/unusual.ts'

/** The most rows in one save, and on one page of the grid. */
export const MAX_ROWS = 2_000

const count = (most: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform((digits) => Number(digits)),
    ])
    .pipe(z.number().int().min(1).max(most))

export const paged = {
  page: count(1_000_000).optional().default(1),
  pageSize: count(MAX_ROWS).optional().default(200),
}

/** The result of saving one row, by its key. */
export const SavedRow = z.object({
  key: z.string(),
  /** `refused`: see `problems`. `stale`: someone else changed it; `record` is the current version. */
  state: z.enum(['saved', 'refused', 'stale', 'gone']),
  record: ActivityRecord.nullable(),
  problems: z.array(CellProblem),
})
export type SavedRow = z.infer<typeof SavedRow>

const Versions = z
  .array(z.strictObject({ id: Id, version: z.number().int().min(1) }))
  .min(1, 'Select at least one record.')
  .max(MAX_ROWS, `Select at most ${MAX_ROWS} records at a time.`)

const digits = z.string().max(80).nullable()
/** With the result that the reviewer saw, in kg CO2e by both methods of scope 2; null: none. */
const Reviewed = z
  .array(
    z.strictObject({
      id: Id,
      version: z.number().int().min(1),
      seen: z.strictObject({ kg: digits, marketKg: digits }).optional(),
    }),
  )
  .min(1, 'Select at least one record.')
  .max(MAX_ROWS, `Select at most ${MAX_ROWS} records at a time.`)

/** Who chose the factor of a row: the rules of the inventory, or a user for the row or for its source. */
export const CHOSEN_BY = ['rules', 'row', 'source'] as const

/** The factor of a row on its first day inside the inventory, and the alternatives. */
export const RowFactor = FactorChoice.extend({
  by: z.enum(CHOSEN_BY),
  /** What the rules would pick; null: none. */
  automaticId: z.string().nullable(),
})
export type RowFactor = z.infer<typeof RowFactor>

/** How many records were changed, and which were not, with the reason. */
const Moved = z.object({
  moved: z.number().int(),
  refused: z.array(z.object({ id: z.string(), message: z.string() })),
})

/** The records, their flags and the totals. */
const SHOWS_REVIEW = [
  '/api/carbon/get-activity',
  '/api/carbon/get-unusual-activity',
  '/api/carbon/get-totals',
  '/api/carbon/get-open-item-counts',
  '/api/carbon/get-open-items',
] as const

export const activities = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-activity',
    allow: can(Func.activityData, Opr.list),
    summary:
      'Returns the records of an inventory with their results as a queried list, ordered by source and period.',
    input: z.strictObject({
      inventoryId: Id,
      facilityId: Id.optional(),
      sourceId: Id.optional(),
      status: z.enum(RECORD_STATUSES).optional(),
      /** Only submitted records that are flagged (`unusual`). */
      only: z.literal('unusual', 'The value must be "unusual".').optional(),
      ...paged,
    }),
    output: queriedList(ActivityRecord),
  }),
  unusual: endpoint({
    method: 'GET',
    path: '/api/carbon/get-unusual-activity',
    allow: can(Func.activityData, Opr.list),
    summary:
      'Returns the flagged submitted records (far from the prior year or from the other records of their source, implausibly high, overlapping another record, or without a result), and the months that had records a year before and have none now.',
    input: z.strictObject({ inventoryId: Id }),
    output: UnusualActivity,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/carbon/save-activity',
    allow: { anyOf: [can(Func.activityData, Opr.create), can(Func.activityData, Opr.update)] },
    summary:
      'Saves rows of one inventory. Each row is saved, or rejected with the reasons without affecting the others.',
    input: z.strictObject({
      inventoryId: Id,
      rows: z
        .array(ActivityRow)
        .min(1, 'Add at least one row.')
        .max(MAX_ROWS, `Save at most ${MAX_ROWS} rows at a time.`),
    }),
    output: z.object({
      rows: z.array(SavedRow),
      /** Sources that will be recalculated in the background because the change was a large one. */
      pending: z.number().int(),
    }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/carbon/preview-activity',
    allow: can(Func.activityData, Opr.list),
    summary:
      'Calculates a row by month and gas without saving it, and returns its problems and why this factor was used.',
    input: z.strictObject({ id: Id.optional(), record: ActivityInput }),
    output: z.object({
      problems: z.array(CellProblem),
      result: RecordResult.nullable(),
      lines: z.array(LedgerRow.extend({ formula: z.string().nullable() })),
      /** Why this factor was used, and which others match; null for measured emissions. */
      choice: RowFactor.nullable(),
      /** The emissions by gas, electricity location-based: kg, and kg CO2e with the GWP used. */
      gases: Resolved.shape.gases,
      gwpSet: z.enum(GWP_SETS),
    }),
    writes: false,
  }),
  remove: endpoint({
    ...deletionOf(ActivityRecord),
    path: '/api/carbon/delete-activity/{id}',
    allow: can(Func.activityData, Opr.delete),
    summary: 'Deletes a record. It can be restored. A stale version returns 409 with the current record.',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/carbon/restore-activity',
    allow: can(Func.activityData, Opr.delete),
    summary: 'Restores a deleted record as its next version.',
    input: z.strictObject({ id: Id }),
    output: ActivityRecord,
  }),
  submit: endpoint({
    method: 'POST',
    path: '/api/carbon/submit-activity',
    allow: can(Func.activityData, Opr.update),
    summary:
      'Submits records for review, and lists those that have changed, were deleted or are already in review.',
    input: z.strictObject({ inventoryId: Id, records: Versions }),
    output: Moved,
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/carbon/approve-activity',
    allow: can(Func.carbonEmission, Opr.update),
    summary:
      'Approves submitted records with the results that the reviewer saw; records whose result has changed since are listed. If the inventory requires a second person, users cannot approve what they submitted.',
    input: z.strictObject({ inventoryId: Id, records: Reviewed, comment: optionalLine(1_000, 'Comment') }),
    output: Moved,
    changes: SHOWS_REVIEW,
  }),
  returnRecords: endpoint({
    method: 'POST',
    path: '/api/carbon/return-activity',
    allow: can(Func.carbonEmission, Opr.update),
    summary: 'Returns submitted or approved records for changes, with a comment.',
    input: z.strictObject({ inventoryId: Id, records: Versions, comment: line(1_000, 'Comment') }),
    output: Moved,
    changes: SHOWS_REVIEW,
  }),
}
