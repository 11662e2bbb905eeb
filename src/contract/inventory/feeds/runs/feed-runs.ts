import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, MAX_PAGE_SIZE, queriedList } from '#contract/queried-list.ts'
import { FEED_RUN_LIST, FEED_RUN_STATUSES } from './feed-run-list.ts'
import { NewVehicle } from '#contract/inventory/vehicles/vehicle-input.ts'

/** What a row of a feed comes to. `same`: nothing but where the vehicle comes from is noted. */
export const FEED_ROW_KINDS = ['new', 'changed', 'missing', 'refused', 'same'] as const
/** `skipped`: applying left it as it was; `kept`: undoing did; the note says why. */
export const FEED_ROW_STATES = ['staged', 'applied', 'skipped', 'undone', 'kept'] as const
/** So many refused rows of one file are kept with their text; more are counted. */
export const MAX_REFUSED = 10_000

const IMPORT = can(Func.vehicles, Opr.execute)
const count = z.number().int()

const FeedRunRow = z.object({
  id: z.string(),
  fileName: z.string(),
  status: z.enum(FEED_RUN_STATUSES),
  sourceId: z.string().nullable(),
  sourceName: z.string().nullable(),
  mappingName: z.string().nullable(),
  rows: count,
  new: count,
  changed: count,
  /** How many of the changed ones change the price. */
  prices: count,
  missing: count,
  unchanged: count,
  refused: count,
  /** Values that were left alone because somebody locked them. */
  locked: count,
  createdAt: Instant,
  createdBy: z.string().nullable(),
  appliedAt: Instant.nullable(),
})

/** One file of a feed: what it would change, or changed. */
export const FeedRun = FeedRunRow.extend({
  /** In bytes, of both files. */
  bytes: count,
  /** The file that a mapping of two files joins to it. A run that is `waiting` waits for it. */
  secondName: z.string().nullable(),
  mappingId: z.string().nullable(),
  mappingVersion: count.nullable(),
  /** What rows without a lot of their own stand on. */
  lotId: z.string().nullable(),
  lotName: z.string().nullable(),
  /** Why it stopped as a whole. */
  error: z.string().nullable(),
  /** Why somebody has to look before it is applied. */
  held: z.array(z.string()),
  /** Columns of the file, and how many of them the mapping uses. */
  columns: z.object({ known: count, total: count }).nullable(),
  /** Why rows were refused, the most frequent first; dealers without a lot have a list of their own. */
  refusals: z.array(z.object({ sentence: z.string(), rows: count })),
  /** Dealers of the provider that no lot stands for, the most frequent first. */
  unknownDealers: z.array(z.object({ dealer: z.string(), rows: count })),
  /** Values the product has no word for. */
  unmapped: z.array(z.object({ field: z.string(), value: z.string(), rows: count })),
  warnings: z.array(z.object({ sentence: z.string(), rows: count })),
  /** Rows that applying, and rows that undoing left as they were. */
  skipped: count,
  kept: count,
  /** The job that works on it, for its progress. */
  jobId: z.string().nullable(),
  readAt: Instant.nullable(),
  appliedBy: z.string().nullable(),
  undoneAt: Instant.nullable(),
  undoneBy: z.string().nullable(),
  /** What may be done with it now, by its status and by the caller's rights. */
  canApply: z.boolean(),
  canCancel: z.boolean(),
  canUndo: z.boolean(),
  /** Whether its file is kept, so that it may be read by another mapping or with another lot. */
  canReadAgain: z.boolean(),
  /** Its source is kept by people who reach the whole customer: the caller only looks, at rows of their own lots. */
  isReadOnly: z.boolean(),
  version: count,
})
export type FeedRun = z.infer<typeof FeedRun>
export type FeedRunRow = z.infer<typeof FeedRunRow>

const Value = z.unknown()

/** One staged row of a run. */
export const FeedRow = z.object({
  id: z.string(),
  kind: z.enum(FEED_ROW_KINDS),
  state: z.enum(FEED_ROW_STATES),
  /** Where it begins in its file; null of a vehicle that is missing there. */
  line: count.nullable(),
  title: z.string(),
  vin: z.string().nullable(),
  stock: z.string().nullable(),
  dealer: z.string().nullable(),
  lotId: z.string().nullable(),
  lotName: z.string().nullable(),
  vehicleId: z.string().nullable(),
  /** As it stood in the file: of refused rows. */
  raw: z.string().nullable(),
  reasons: z.array(z.string()),
  warnings: z.array(z.string()),
  /** By the fields' names: what was and what becomes. Amounts in cents; costs only for who may see them. */
  changes: z.array(z.object({ field: z.string(), before: Value, after: Value, isFromVin: z.boolean() })),
  /** Fields that the feed says otherwise and somebody locked. */
  locked: z.array(z.string()),
  /** The status it is given: of what went missing or came back. */
  toStatus: z.string().nullable(),
  /** Why it was left as it was. */
  note: z.string().nullable(),
})
export type FeedRow = z.infer<typeof FeedRow>

const digits = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)

const {
  lotId: _lot,
  status: _status,
  statusReason: _reason,
  locksEdits: _locks,
  ...values
} = NewVehicle.shape

/** Every row was refused, and no vehicle is missing. */
export const NOTHING_TO_APPLY = 'There is nothing in it that could be applied.'

/** Of a row without a dealer, where several lots could be meant. */
export const NO_LOT = 'The row names no dealer, and no lot was chosen for the file.'
/** The file of a run that was not applied is kept so long. */
export const KEPT_FILE_DAYS = 7
export const FILE_GONE = `The file is not kept any more: it is for ${KEPT_FILE_DAYS} days, and until its run is applied or cancelled. Bring it again.`

export const feedRuns = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-feed-runs',
    allow: can(Func.vehicles, Opr.list),
    summary: 'The runs of feeds that the caller reaches, as a queried list.',
    input: listQuery(FEED_RUN_LIST),
    output: queriedList(FeedRunRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-feed-run/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'One run: what it would change, what stands against it, and what may be done with it.',
    input: z.strictObject({ id: Id }),
    output: FeedRun,
  }),
  rows: endpoint({
    method: 'GET',
    path: '/api/inventory/get-feed-run-rows',
    allow: IMPORT,
    summary: 'The staged rows of a run, by kind, in the order of the file, searched by VIN, stock and name.',
    input: z.strictObject({
      runId: Id,
      kind: z.enum(FEED_ROW_KINDS, 'There is no such kind of row.').optional(),
      state: z.enum(FEED_ROW_STATES, 'There is no such state of a row.').optional(),
      search: z.string().max(200).optional(),
      page: z.union([z.number(), digits]).pipe(z.number().int().min(1).max(1_000_000)).optional().default(1),
      pageSize: z
        .union([z.number(), digits])
        .pipe(z.number().int().min(1).max(MAX_PAGE_SIZE))
        .optional()
        .default(50),
    }),
    output: queriedList(FeedRow),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-feed-run',
    kind: 'upload',
    allow: IMPORT,
    summary:
      'Takes one feed file, or two that a provider mapping joins, and reads it by a job: the answer is `reading`. A first file whose mapping joins two comes to `waiting`. Nothing is changed until the run is applied. Without `mappingId` the mapping that fits is found. `lotId` is where rows without a known dealer stand.',
    input: z.strictObject({ sourceId: Id.optional(), mappingId: Id.optional(), lotId: Id.optional() }),
    output: FeedRun,
  }),
  addSecond: endpoint({
    method: 'POST',
    path: '/api/inventory/add-second-feed-file',
    kind: 'upload',
    allow: IMPORT,
    summary:
      'Takes the second file of a run that waits for it, and reads both: the answer is `reading`. Any other run answers 409.',
    input: z.strictObject({ id: Id }),
    output: FeedRun,
  }),
  readAgain: endpoint({
    method: 'POST',
    path: '/api/inventory/read-feed-run-again',
    allow: IMPORT,
    summary:
      'Reads the kept file of a run anew, which is not applied yet, with another lot or by another mapping: the answer is `reading`. What was mended by hand is read as it stands in the file. Without its file, or once it is applied, it answers 409.',
    input: z.strictObject({ id: Id, lotId: Id.optional(), mappingId: Id.optional() }),
    output: FeedRun,
  }),
  sample: endpoint({
    method: 'GET',
    path: '/api/inventory/get-feed-run-sample/{id}',
    kind: 'download',
    allow: IMPORT,
    summary:
      'The beginning of the kept file of a run, as it came: what a provider mapping is made by. Without it 409.',
    input: z.strictObject({ id: Id }),
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/inventory/apply-feed-run',
    allow: IMPORT,
    summary:
      'Writes a run to the vehicles by a job, lot by lot. A held run asks for `confirm`; a run that is not ready, or whose source has a later one, answers 409.',
    input: z.strictObject({ id: Id, confirm: z.boolean('Say true or false.').optional() }),
    output: FeedRun,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/inventory/cancel-feed-run',
    allow: IMPORT,
    summary:
      'Ends a run: one that is being read or waits leaves nothing, one that is being applied keeps what it wrote.',
    input: z.strictObject({ id: Id }),
    output: FeedRun,
  }),
  mend: endpoint({
    method: 'POST',
    path: '/api/inventory/mend-feed-row',
    allow: IMPORT,
    summary:
      'Gives a refused row the values it lacks and stages it with the others. One that still cannot be is refused again.',
    input: z.strictObject({ runId: Id, id: Id, lotId: Id.optional(), values: z.strictObject(values) }),
    output: FeedRow,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/inventory/undo-feed-run',
    allow: IMPORT,
    summary:
      'Gives the vehicles of an applied run back what they were, by a job: only values that are still as the run left them. The rest is listed as kept.',
    input: z.strictObject({ id: Id }),
    output: FeedRun,
  }),
}
