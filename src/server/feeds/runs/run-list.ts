import { sql } from 'kysely'
import { z } from 'zod'
import { FEED_RUN_LIST, FEED_RUN_STATUSES } from '#contract/feeds/runs/feed-run-list.ts'
import { type FeedRun, type FeedRunRow, feedRuns, KEPT_FILE_DAYS } from '#contract/feeds/runs/feed-runs.ts'
import { FeedAnswers, FeedQuestion } from '#contract/feeds/mappings/feed-questions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, type PageOf, readPage } from '#server/lists/read-list.ts'
import { countLostPrices, countTakenAway, isUndecided, readHeldPrices } from './run-rows.ts'
import { isReadOnlyForOrganizationUsers } from './source-reach.ts'

/** Who uploaded the file; null if it came by itself, under the name of the user who set that up. */
const uploadedBy = sql<string | null>`case when not r.is_automatic then r.created_by end`

type Field = keyof typeof FEED_RUN_LIST.fields
const column = (name: string) => ({ value: sql.ref(`r.${name}`) })
const always = (name: string) => ({ ...column(name), isNeverNull: true as const })

/** Feed runs with their sources. Row-level security limits organization users to their own. */
export const feedRunSource: ListSource<Field> = {
  list: FEED_RUN_LIST,
  from: sql`feed_runs r left join feed_sources s on s.customer_id = r.customer_id and s.id = r.source_id`,
  table: sql`feed_runs r`,
  within: (actor) => sql`r.customer_id = ${actor.customerId}`,
  id: sql`r.id`,
  title: sql`r.file_name`,
  fields: {
    fileName: always('file_name'),
    status: always('status'),
    sourceName: { value: sql`s.name`, joins: 'value' },
    mappingName: column('mapping_name'),
    rows: always('row_count'),
    new: always('new_count'),
    changed: always('changed_count'),
    missing: always('missing_count'),
    refused: always('refused_count'),
    createdAt: always('created_at'),
    createdBy: { value: uploadedBy },
    appliedAt: column('applied_at'),
  },
  search: (text) => contains([sql.ref('r.file_name'), sql.ref('r.mapping_name'), sql.ref('s.name')], text),
  searchJoins: true,
}

function selectRuns(db: Database) {
  return db
    .selectFrom('feedRuns as r')
    .leftJoin('feedSources as s', (join) =>
      join.onRef('s.customerId', '=', 'r.customerId').onRef('s.id', '=', 'r.sourceId'),
    )
    .select([
      'r.id',
      'r.fileName',
      'r.status',
      'r.sourceId',
      's.name as sourceName',
      'r.mappingName',
      'r.createdAt',
      'r.appliedAt',
    ])
    .select([
      'r.rowCount as rows',
      'r.newCount as new',
      'r.changedCount as changed',
      'r.priceCount as prices',
      'r.missingCount as missing',
      'r.unchangedCount as unchanged',
      'r.refusedCount as refused',
      'r.leftOutCount as leftOut',
      'r.lockedCount as locked',
    ])
    .select(uploadedBy.as('createdBy'))
}

const Status = z.enum(FEED_RUN_STATUSES)

/** One page of runs. */
export async function listFeedRuns(db: Database, actor: Member, input: PageOf<Field>) {
  const { ids, ...counts } = await readPage(db, actor, feedRunSource, input)
  const rows = ids.length === 0 ? [] : await selectRuns(db).where('r.id', 'in', ids).execute()
  const results: FeedRunRow[] = inOrder(ids, rows).map((row) => ({
    ...row,
    status: Status.parse(row.status),
  }))
  return { ...counts, results }
}

const Dealers = z.array(z.object({ dealer: z.string(), rows: z.number() }))
const Unmapped = z.array(z.object({ field: z.string(), value: z.string(), rows: z.number() }))
const Warnings = z.array(z.object({ sentence: z.string(), rows: z.number() }))

/** @throws Failure 404 if the caller can't access the run. */
export async function readFeedRun(
  db: Database,
  actor: Pick<Member, 'may' | 'reach'>,
  id: string,
): Promise<FeedRun> {
  const row = await selectRuns(db)
    .leftJoin('lots as l', (join) =>
      join.onRef('l.customerId', '=', 'r.customerId').onRef('l.id', '=', 'r.lotId'),
    )
    .innerJoin('customers as c', 'c.id', 'r.customerId')
    .select([
      'c.currency',
      'r.bytes',
      'r.secondName',
      'r.mappingId',
      'r.mappingVersion',
      'r.lotId',
      'l.name as lotName',
      'r.error',
      'r.reviewReasons',
      'r.columnsKnown',
      'r.columnsTotal',
      'r.unusedColumns',
    ])
    .select([
      'r.unknownDealers',
      'r.unmapped',
      'r.warnings',
      'r.questions',
      'r.answers',
      'r.notes',
      'r.skippedCount as skipped',
      'r.notUndoneCount as notUndone',
      'r.jobId',
      'r.readAt',
      'r.storedAs',
    ])
    .select(sql<boolean>`r.created_at > app_now() - ${KEPT_FILE_DAYS} * interval '1 day'`.as('isFresh'))
    .select(['r.appliedBy', 'r.undoneAt', 'r.undoneBy', 'r.version', 's.reach'])
    .where('r.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('Feed run')
  const { columnsKnown, columnsTotal, storedAs, isFresh, reach, currency: _currency, ...rest } = row
  const status = Status.parse(row.status)
  const questions = isOpen(status) ? FeedQuestion.array().parse(row.questions) : []
  const isReadOnly = isReadOnlyForOrganizationUsers(actor, reach)
  const mayImport = actor.may(feedRuns.apply.allow) && !isReadOnly
  return {
    ...rest,
    status,
    bytes: Number(row.bytes),
    columns:
      columnsKnown === null || columnsTotal === null ? null : { known: columnsKnown, total: columnsTotal },
    refusals: row.refused === 0 ? [] : await readRefusals(db, id),
    priceQuestions: await countQuestions(db, id),
    heldPrices: await readHeldPrices(db, { runId: id, currency: row.currency }),
    mileageQuestions: await countMileages(db, id),
    lostPrices: await countLostPrices(db, id),
    ...(await countTakenAway(db, id)),
    // The file also has rows of other lots, which a read-only caller must not see.
    ...(isReadOnly && { refused: await countRefused(db, id) }),
    unknownDealers: isReadOnly ? [] : Dealers.parse(row.unknownDealers),
    unmapped: isReadOnly ? [] : Unmapped.parse(row.unmapped),
    isReadOnly,
    questions,
    answers: FeedAnswers.parse(row.answers),
    warnings: Warnings.parse(row.warnings),
    canApply:
      mayImport &&
      ((isOpen(status) && questions.length === 0 && !hasNothingToApply(row)) ||
        (status === 'applied' && row.error !== null)),
    canCancel: mayImport && ['waiting', 'reading', 'ready', 'review', 'applying'].includes(status),
    canUndo: mayImport && status === 'applied',
    canReadAgain: mayImport && storedAs !== null && isFresh && isReadable(status),
  }
}

/** Whether a run was read and can be applied. */
const isOpen = (status: string): boolean => status === 'ready' || status === 'review'

/** The statuses of a run that was read but not applied. */
export const READABLE = ['ready', 'review', 'failed'] as const

/** Whether a run can be read again. */
export function isReadable(status: string): boolean {
  return READABLE.some((one) => one === status)
}

/** How many different reasons the page lists. */
const MAX_REASONS = 8

/** The current rejection reasons, without rows fixed since. Unlinked dealer IDs are left out, because the run lists them. */
async function readRefusals(db: Database, runId: string): Promise<FeedRun['refusals']> {
  const { rows } = await sql<{ sentence: string; rows: number }>`
    select reason as sentence, count(*)::int as rows
    from feed_run_rows r cross join lateral unnest(r.reasons) as reason
    where r.run_id = ${runId} and r.kind = 'refused'
      and reason not like 'Dealer ID % isn''t linked to a lot.' and reason not like 'Dealer ID % isn''t one of your lots.'
    group by reason order by count(*) desc, reason limit ${MAX_REASONS}`.execute(db)
  return rows
}

/** How many rows ask about a price that a person set, and how many of them are not answered. */
async function countQuestions(db: Database, runId: string): Promise<FeedRun['priceQuestions']> {
  return db
    .selectFrom('feedRunRows')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where price_answer is null and ${isUndecided}))::int`.as('open'),
    ])
    .where('runId', '=', runId)
    .where('asksPrice', '=', true)
    .executeTakeFirstOrThrow()
}

/** How many rows have a lower mileage than before, and of how many it is taken. */
async function countMileages(db: Database, runId: string): Promise<FeedRun['mileageQuestions']> {
  return db
    .selectFrom('feedRunRows')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where jsonb_exists(after, 'mileage')))::int`.as('taken'),
    ])
    .where('runId', '=', runId)
    .where('sourceMileage', 'is not', null)
    .executeTakeFirstOrThrow()
}

/** The number of rejected rows that the caller can access. */
async function countRefused(db: Database, runId: string): Promise<number> {
  const { refused } = await db
    .selectFrom('feedRunRows')
    .select(sql<number>`count(*)::int`.as('refused'))
    .where('runId', '=', runId)
    .where('kind', '=', 'refused')
    .executeTakeFirstOrThrow()
  return refused
}

/** Whether a run has no effect at all, not even recording that vehicles are still in the feed. */
export function hasNothingToApply(of: {
  rows: number
  refused: number
  leftOut: number
  missing: number
}): boolean {
  return of.refused + of.leftOut === of.rows && of.missing === 0
}
