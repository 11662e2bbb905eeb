import { z } from 'zod'
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
import { LedgerRow } from '../results/ledger-schema.ts'
import { GWP_SETS, Resolved } from '../factors/resolve.ts'
import { UnusualActivity } from '../review/unusual.ts'

/** The most rows of one block, and of one page of the grid. */
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

/** What became of a row of a block, by its key. */
export const SavedRow = z.object({
  key: z.string(),
  /** `refused`: `problems` says why. `stale`: somebody changed it meanwhile, `record` is how it is now. */
  state: z.enum(['saved', 'refused', 'stale', 'gone']),
  record: ActivityRecord.nullable(),
  problems: z.array(CellProblem),
})
export type SavedRow = z.infer<typeof SavedRow>

const Versions = z
  .array(z.strictObject({ id: Id, version: z.number().int().min(1) }))
  .min(1, 'Choose at least one record.')
  .max(MAX_ROWS, `At most ${MAX_ROWS} records at once.`)
/** Who chose the factor of a row: the rules of the inventory, or a person for the row or for its source. */
export const CHOSEN_BY = ['rules', 'row', 'source'] as const

/** The factor of a row on its first day that counts, and what else there is. */
export const RowFactor = FactorChoice.extend({
  by: z.enum(CHOSEN_BY),
  /** What the rules would take; null: nothing. */
  automaticId: z.string().nullable(),
})
export type RowFactor = z.infer<typeof RowFactor>

/** What was done, and the records that were not, each with a sentence. */
const Moved = z.object({
  moved: z.number().int(),
  refused: z.array(z.object({ id: z.string(), message: z.string() })),
})

export const activities = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-activity',
    allow: can(Func.carbonEmission, Opr.list),
    summary:
      'The records of an inventory with their results, as a queried list in the order of source and period.',
    input: z.strictObject({
      inventoryId: Id,
      facilityId: Id.optional(),
      sourceId: Id.optional(),
      status: z.enum(RECORD_STATUSES).optional(),
      /** Only submitted records that want a look (`unusual`). */
      look: z.literal('unusual', 'There is unusual, or nothing.').optional(),
      ...paged,
    }),
    output: queriedList(ActivityRecord),
  }),
  unusual: endpoint({
    method: 'GET',
    path: '/api/carbon/get-unusual-activity',
    allow: can(Func.carbonEmission, Opr.list),
    summary:
      'The submitted records that want a look (far from the year before or from the others of their source, or without a result), and the months that had records a year before and have none.',
    input: z.strictObject({ inventoryId: Id }),
    output: UnusualActivity,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/carbon/save-activity',
    allow: { anyOf: [can(Func.carbonEmission, Opr.create), can(Func.carbonEmission, Opr.update)] },
    summary:
      'Saves a block of rows of one inventory: each is saved, or refused with its reasons; the others are saved all the same.',
    input: z.strictObject({
      inventoryId: Id,
      rows: z
        .array(ActivityRow)
        .min(1, 'Send at least one row.')
        .max(MAX_ROWS, `At most ${MAX_ROWS} rows at once.`),
    }),
    output: z.object({
      rows: z.array(SavedRow),
      /** Sources whose results follow a moment later, because the change was a large one. */
      pending: z.number().int(),
    }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/carbon/preview-activity',
    allow: can(Func.carbonEmission, Opr.list),
    summary:
      'What a row would come to, month by month and gas by gas, what is wrong with it, and why this factor. Nothing is saved.',
    input: z.strictObject({ id: Id.optional(), record: ActivityInput }),
    output: z.object({
      problems: z.array(CellProblem),
      result: RecordResult.nullable(),
      lines: z.array(LedgerRow.extend({ formula: z.string().nullable() })),
      /** Why this factor, and which others fit; null where emissions were measured. */
      choice: RowFactor.nullable(),
      /** The activity gas by gas, electricity by the location: kg, and kg CO2e with the warming potential used. */
      gases: Resolved.shape.gases,
      gwpSet: z.enum(GWP_SETS),
    }),
    writes: false,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/carbon/delete-activity/{id}',
    allow: can(Func.carbonEmission, Opr.delete),
    summary: 'Deletes a record. It can be brought back.',
    input: z.strictObject({ id: Id }),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/carbon/restore-activity',
    allow: can(Func.carbonEmission, Opr.delete),
    summary: 'Brings a deleted record back, as its next version.',
    input: z.strictObject({ id: Id }),
    output: ActivityRecord,
  }),
  submit: endpoint({
    method: 'POST',
    path: '/api/carbon/submit-activity',
    allow: can(Func.carbonEmission, Opr.update),
    summary: 'Submits records for review; those that are changed, gone or in review already are named.',
    input: z.strictObject({ inventoryId: Id, records: Versions }),
    output: Moved,
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/carbon/approve-activity',
    allow: can(Func.carbonEmission, Opr.update),
    summary:
      'Approves submitted records. Where four eyes are asked for, nobody approves what they submitted.',
    input: z.strictObject({ inventoryId: Id, records: Versions, comment: optionalLine(1_000, 'Comment') }),
    output: Moved,
  }),
  releaseLease: endpoint({
    method: 'POST',
    path: '/api/carbon/return-activity',
    allow: can(Func.carbonEmission, Opr.update),
    summary: 'Returns submitted or approved records with a comment; they can be changed again.',
    input: z.strictObject({ inventoryId: Id, records: Versions, comment: line(1_000, 'Comment') }),
    output: Moved,
  }),
}
