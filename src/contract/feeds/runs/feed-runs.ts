import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, MAX_PAGE_SIZE, queriedList } from '#contract/queried-list.ts'
import { FeedAnswers, FeedQuestion } from '#contract/feeds/mappings/feed-questions.ts'
import { FEED_RUN_LIST, FEED_RUN_STATUSES } from './feed-run-list.ts'
import { PRICE_ANSWERS } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { NewVehicle } from '#contract/vehicles/vehicles/vehicle-input.ts'

/**
 * The outcome of a feed row. `same`: nothing changes, only the vehicle's source is recorded. `leftOut`: the feed itself leaves it
 * out, because it is deleted or sold.
 */
export const FEED_ROW_KINDS = ['new', 'changed', 'missing', 'refused', 'same', 'leftOut'] as const
/** `skipped`: left unchanged when the run was applied; `notUndone`: left unchanged when it was undone. The note gives the reason. */
export const FEED_ROW_STATES = ['staged', 'applied', 'skipped', 'undone', 'notUndone'] as const
/** How many rejected rows of a file are stored with their text; the rest are only counted. */
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
  /** Rows that the feed itself leaves out: marked as deleted, or sold and not in the inventory. */
  leftOut: count,
  /** Values left unchanged because a user locked them. */
  locked: count,
  createdAt: Instant,
  createdBy: z.string().nullable(),
  appliedAt: Instant.nullable(),
})

/**
 * Vehicles that lose something: sold, wholesale or archived in the file (`gone`), removed because they were missing twice, without a
 * price, with fewer photos or none, without a mileage, and with a lower one that someone took.
 */
export const TakenAway = z.object({
  gone: count,
  removed: count,
  prices: count,
  photos: count,
  mileages: count,
  lowerMileages: count,
})
export type TakenAway = z.infer<typeof TakenAway>

/** One feed file: what it would change, or did change. */
export const FeedRun = FeedRunRow.extend({
  /** Total size of both files, in bytes. */
  bytes: count,
  /** The second file, if the mapping joins two. A `waiting` run waits for it. */
  secondName: z.string().nullable(),
  mappingId: z.string().nullable(),
  mappingVersion: count.nullable(),
  /** The lot of rows that don't identify one themselves. */
  lotId: z.string().nullable(),
  lotName: z.string().nullable(),
  /** Why the whole run stopped. */
  error: z.string().nullable(),
  /** Why it needs review before it is applied. */
  reviewReasons: z.array(z.string()),
  /** How many of the file's columns the mapping uses. */
  columns: z.object({ known: count, total: count }).nullable(),
  /** The columns of the file that aren't read. */
  unusedColumns: z.array(z.string()),
  /** Why rows were rejected, most frequent first; unlinked dealer IDs are listed separately. */
  refusals: z.array(z.object({ sentence: z.string(), rows: count })),
  /** Dealer IDs in the file that aren't linked to a lot, most frequent first. */
  unknownDealers: z.array(z.object({ dealer: z.string(), rows: count })),
  /** Values that match none of our standard values. */
  unmapped: z.array(z.object({ field: z.string(), value: z.string(), rows: count })),
  warnings: z.array(z.object({ sentence: z.string(), rows: count })),
  /** What only a person knows about the file. The run can't be applied before all are answered. */
  questions: z.array(FeedQuestion),
  /** What was answered, now or for earlier files of its source, by the key of the question. It can be changed like an answer. */
  answers: FeedAnswers,
  /** How the file was read, such as the order of its dates and what shows it. */
  notes: z.array(z.string()),
  /**
   * Vehicles whose price a person set, while the source sends another one than before: `open` ones are not answered yet. They
   * keep their price when the run is applied, and are listed until someone decides.
   */
  priceQuestions: z.object({ total: count, open: count }),
  /** Of these, prices beyond the customer's limits that nobody has decided about, and the first of them in words. */
  heldPrices: z.object({ open: count, sentence: z.string() }).nullable(),
  /** Vehicles whose mileage would fall. They keep it, unless someone takes the lower one (`taken`). */
  mileageQuestions: z.object({ total: count, taken: count }),
  /** Vehicles that have a price, and lose it because the file has none for them. */
  lostPrices: count,
  /** What it takes away from known vehicles, or took away, in vehicles: how many. */
  takenAway: TakenAway,
  /** Known vehicles that it puts, or put, back on sale, and on another lot. */
  backOnSale: count,
  moved: count,
  /** Rows whose status is a word that isn't known. */
  unknownStatuses: count,
  /** Rows with another status than the one that a person gave, which stays. */
  keptStatuses: count,
  /** Rows left unchanged when the run was applied (`skipped`) or undone (`notUndone`). */
  skipped: count,
  notUndone: count,
  /** The job that processes it, for its progress. */
  jobId: z.string().nullable(),
  readAt: Instant.nullable(),
  appliedBy: z.string().nullable(),
  undoneAt: Instant.nullable(),
  undoneBy: z.string().nullable(),
  /** What the caller can do with it now, given its status and their permissions. */
  canApply: z.boolean(),
  canCancel: z.boolean(),
  canUndo: z.boolean(),
  /** Whether its file is still stored, so that it can be read with a different mapping or lot. */
  canReadAgain: z.boolean(),
  /** Its source is managed by users with access to the whole customer: the caller can only view rows of their own lots. */
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
  /** Its first line in the file; null for a vehicle that is missing from it. */
  line: count.nullable(),
  title: z.string(),
  vin: z.string().nullable(),
  stock: z.string().nullable(),
  dealer: z.string().nullable(),
  lotId: z.string().nullable(),
  lotName: z.string().nullable(),
  vehicleId: z.string().nullable(),
  /** The original text from the file; rejected rows only. */
  raw: z.string().nullable(),
  reasons: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Values before and after, by field name. Amounts are in cents; costs are included only if the caller can see them. */
  changes: z.array(z.object({ field: z.string(), before: Value, after: Value, isFromVin: z.boolean() })),
  /** Fields whose value differs in the feed but which a user locked. */
  locked: z.array(z.string()),
  /**
   * The price that a person set (`ownCents`), what the source had sent until then (`sentCents`), and what it sends now
   * (`sourceCents`), in cents; 0: no price. `answer`: what the run does about it; null: nothing, it is decided later.
   */
  priceQuestion: z
    .object({
      ownCents: count,
      sentCents: count,
      sourceCents: count,
      answer: z.enum(PRICE_ANSWERS).nullable(),
      /** No person set the price: the new one is beyond the customer's limits. */
      isUnusual: z.boolean(),
    })
    .nullable(),
  /** A mileage that its feed sends lower than it was: both, and what the run does about it. */
  mileageQuestion: z
    .object({ ownMileage: count, sourceMileage: count, answer: z.enum(PRICE_ANSWERS) })
    .nullable(),
  /** The new status of a vehicle that went missing or came back. */
  toStatus: z.string().nullable(),
  /** The lot to which the vehicle moves. */
  toLotName: z.string().nullable(),
  /** Why it was left unchanged. */
  note: z.string().nullable(),
})
export type FeedRow = z.infer<typeof FeedRow>

/** What undoing a run would do to prices before rules, in cents of the customer's currency. */
export const FeedUndo = z.object({
  /** Prices that change back, with their totals now and after the undo. */
  prices: count,
  beforeCents: z.number(),
  afterCents: z.number(),
  /** Vehicles that are deleted because the run added them, with the total of their prices. */
  removed: count,
  removedCents: z.number(),
  currency: z.string(),
})
export type FeedUndo = z.infer<typeof FeedUndo>

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

/** Every row was rejected, and no vehicle is missing. */
export const NOTHING_TO_APPLY = 'This feed has nothing to apply.'

/** A row without a dealer ID that could belong to several lots. */
export const NO_LOT = 'The row has no dealer ID, and no lot was chosen for the file.'
/** The mapping name of a run whose columns were matched without a mapping or template. */
export const AUTO_MAPPING = 'Columns auto-detected'
/** How long the file of an unapplied run is stored. */
export const KEPT_FILE_DAYS = 7
export const FILE_GONE = `The file is no longer stored. Files are kept for ${KEPT_FILE_DAYS} days, or until the feed is applied or canceled. Upload it again.`

/** The list of feeds, and the vehicles that a feed changes. */
const SHOWS_RUNS = ['/api/inventory/get-feed-runs', '/api/inventory/get-vehicles'] as const

export const feedRuns = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-feed-runs',
    allow: can(Func.vehicles, Opr.list),
    summary: 'Lists the feed runs the caller can access, with search, filters and paging.',
    input: listQuery(FEED_RUN_LIST),
    output: queriedList(FeedRunRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-feed-run/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary:
      'Returns one feed run: what it would change, why it may need review, and what the caller can do with it.',
    input: z.strictObject({ id: Id }),
    output: FeedRun,
  }),
  rows: endpoint({
    method: 'GET',
    path: '/api/inventory/get-feed-run-rows',
    allow: can(Func.vehicles, Opr.read),
    summary:
      'Lists the staged rows of a run in file order, filtered by kind and searched by VIN, stock number and name.',
    input: z.strictObject({
      runId: Id,
      kind: z.enum(FEED_ROW_KINDS, 'Choose one of the row kinds.').optional(),
      state: z.enum(FEED_ROW_STATES, 'Choose one of the row states.').optional(),
      /** Only rows with a price question, with a lower mileage, of vehicles that lose their price, with an unknown status, or with another status than the one that stays. */
      asks: z
        .enum(
          ['price', 'mileage', 'lostPrice', 'status', 'keptStatus'],
          'Must be "price", "mileage", "lostPrice", "status" or "keptStatus".',
        )
        .optional(),
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
      'Uploads one feed file (CSV, Excel workbook, XML or JSON), or two that a provider mapping joins, and reads it in a background job: the returned status is `reading`. If the mapping joins two files and only one was sent, the run changes to `waiting`. No vehicle changes until the run is applied. Without `mappingId`, the best-fitting mapping is used. `lotId` is the lot for rows without a known dealer ID.',
    input: z.strictObject({ sourceId: Id.optional(), mappingId: Id.optional(), lotId: Id.optional() }),
    output: FeedRun,
    changes: ['/api/inventory/get-feed-runs'],
  }),
  addSecond: endpoint({
    method: 'POST',
    path: '/api/inventory/add-second-feed-file',
    kind: 'upload',
    allow: IMPORT,
    summary:
      'Uploads the second file of a run that is waiting for it and reads both: the returned status is `reading`. Any other run returns 409.',
    input: z.strictObject({ id: Id }),
    output: FeedRun,
    changes: ['/api/inventory/get-feed-runs'],
  }),
  readAgain: endpoint({
    method: 'POST',
    path: '/api/inventory/read-feed-run-again',
    allow: IMPORT,
    summary:
      'Reads the stored file of an unapplied run again, with a different lot or mapping: the returned status is `reading`. Rows fixed by hand go back to their values in the file. Returns 409 if the file is no longer stored or the run was applied.',
    input: z.strictObject({ id: Id, lotId: Id.optional(), mappingId: Id.optional() }),
    output: FeedRun,
    changes: ['/api/inventory/get-feed-runs'],
  }),
  sample: endpoint({
    method: 'GET',
    path: '/api/inventory/get-feed-run-sample/{id}',
    kind: 'download',
    allow: IMPORT,
    summary:
      'Downloads the beginning of the stored file of a run, unchanged, as a sample for a provider mapping. Returns 409 if the file is no longer stored.',
    input: z.strictObject({ id: Id }),
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/inventory/apply-feed-run',
    allow: IMPORT,
    summary:
      'Applies a run to the vehicles in a background job, lot by lot. A run that needs review (`review`) requires `confirm`. Returns 409 if the run is not ready, or if a later run of its source was applied.',
    input: z.strictObject({ id: Id, confirm: z.boolean('Must be true or false.').optional() }),
    output: FeedRun,
    changes: SHOWS_RUNS,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/inventory/cancel-feed-run',
    allow: IMPORT,
    summary:
      'Cancels a run. A run that is not yet being applied is discarded; one that is being applied keeps the changes made so far.',
    input: z.strictObject({ id: Id }),
    output: FeedRun,
    changes: SHOWS_RUNS,
  }),
  fixRow: endpoint({
    method: 'POST',
    path: '/api/inventory/fix-feed-row',
    allow: IMPORT,
    summary:
      'Adds missing values to a rejected row and stages it with the others. If it is still not valid, it is rejected again.',
    input: z.strictObject({ runId: Id, id: Id, lotId: Id.optional(), values: z.strictObject(values) }),
    output: FeedRow,
    changes: ['/api/inventory/edit-feed-run/{id}', '/api/inventory/get-feed-run-rows'],
  }),
  answerQuestions: endpoint({
    method: 'POST',
    path: '/api/inventory/answer-feed-questions',
    allow: IMPORT,
    summary:
      'Answers questions of a run by their keys (`FeedRun.questions`), such as which status a word means, and reads its file again: the returned status is `reading`. The answers are used for the next files of the same source. Returns 409 if the file is no longer stored or the run was applied.',
    input: z.strictObject({ id: Id, answers: FeedAnswers }),
    output: FeedRun,
    changes: ['/api/inventory/get-feed-runs'],
  }),
  answerPrices: endpoint({
    method: 'POST',
    path: '/api/inventory/answer-feed-prices',
    allow: IMPORT,
    summary:
      'Decides about prices that people set and that differ from new prices in the feed, before the run is applied: takes the price of the feed, keeps the own one, or leaves it open (null). Without `ids`, all of the run. Taken prices beyond the limits of the customer hold the run for review.',
    input: z.strictObject({
      runId: Id,
      ids: z.array(Id).min(1).max(500, 'Choose at most 500 rows.').optional(),
      answer: z.enum(PRICE_ANSWERS, 'Choose take or keep.').nullable(),
    }),
    output: FeedRun,
    changes: ['/api/inventory/edit-feed-run/{id}', '/api/inventory/get-feed-run-rows'],
  }),
  answerMileages: endpoint({
    method: 'POST',
    path: '/api/inventory/answer-feed-mileages',
    allow: IMPORT,
    summary:
      'Decides about mileages that the feed sends lower than they were, before the run is applied: takes the lower one, or keeps the own one, which is also what happens without an answer. Without `ids`, all of the run.',
    input: z.strictObject({
      runId: Id,
      ids: z.array(Id).min(1).max(500, 'Choose at most 500 rows.').optional(),
      answer: z.enum(PRICE_ANSWERS, 'Choose take or keep.'),
    }),
    output: FeedRun,
    changes: ['/api/inventory/edit-feed-run/{id}', '/api/inventory/get-feed-run-rows'],
  }),
  undoEffect: endpoint({
    method: 'GET',
    path: '/api/inventory/feed-run-undo/{id}',
    allow: IMPORT,
    summary:
      'Returns what undoing an applied run would do to prices now: how many change back, the totals before and after, and how many vehicles are deleted. Returns 409 if the run is not applied.',
    input: z.strictObject({ id: Id }),
    output: FeedUndo,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/inventory/undo-feed-run',
    allow: IMPORT,
    summary:
      'Undoes an applied run in a background job. Only values that have not changed since the run are restored; the rest are listed as `notUndone`.',
    input: z.strictObject({ id: Id }),
    output: FeedRun,
    changes: SHOWS_RUNS,
  }),
}
