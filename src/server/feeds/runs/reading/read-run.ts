import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { type MappedRow, prepareMapping } from '#contract/feeds/mappings/map-row.ts'
import type { FeedRow } from '#contract/feeds/mappings/source-row.ts'
import type { ReadOptions } from '#contract/feeds/mappings/read-vehicle-value.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { NotHere } from '#server/queue/job-kind.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { joinFeeds } from './join-feeds.ts'
import { type OpenFeed, openFeed } from '#server/formats/open-feed.ts'
import { chooseJoin } from './choose-join.ts'
import {
  chooseMapping,
  type MappingChoice,
  type OpenFile,
  sampledRows,
  type SavedMapping,
  unusedColumns,
} from './choose-mapping.ts'
import { hasTotalPrices, withAnswers } from '#contract/feeds/mappings/with-answers.ts'
import { hasUndecidedDates, provedOrders, withOrders } from '#contract/feeds/mappings/with-date-forms.ts'
import type { FeedAnswers, FeedQuestion } from '#contract/feeds/mappings/feed-questions.ts'
import {
  answersFor,
  orderNotes,
  questionReasons,
  questionsOf,
  totalNotes,
  vehicleAnswers,
} from './file-questions.ts'
import { isOwnExport, withCurrencyColumn } from '#contract/feeds/mappings/match-columns.ts'
import { columnValues, withBlanks } from './feed-values.ts'
import { loadLotAssignment, type LotAssignment } from './lot-assignment.ts'
import { noteUnmatchedDealers } from '#server/customers/index.ts'
import { noteUnmapped } from '#server/feeds/values/note-unmapped.ts'
import type { ValueMap } from '#server/feeds/values/value-map.ts'
import { organizationOf } from '#server/feeds/runs/source-reach.ts'
import { readCanonical } from './read-canonical.ts'
import { placeOfRun } from '../run-file.ts'
import { missingPage } from './stage-missing.ts'
import { compareRows, noSeenRows, insertRows, type SeenRows } from './stage-rows.ts'
import type { ParsedRow } from './staging.ts'
import { rememberedLayout } from './remembered-layout.ts'
import { rememberedLot } from './remembered-lot.ts'
import type { RunWork } from '../run-work.ts'
import { storedPartners } from './stored-partners.ts'
import { makeImportStats, type ImportStats } from './import-stats.ts'
import { findTotalPrices } from './total-prices.ts'
import { findReviewReasons } from '../review-reasons.ts'
import { lastFill, lossReasons } from '../loss-reasons.ts'
import { holdPrices } from '../price-check.ts'

/** How many rows, or characters of them, are compared at once. */
const BATCH_ROWS = 1_000
const BATCH_TEXT = 4_000_000

type StartedRun = {
  runId: string
  /** The organization that sees rows without a lot. Organization users see such rows only in their own files. */
  organizationId: string | null
  sourceId: string | null
  lotId: string | null
  lotIds: readonly string[]
  storedAs: string
  secondStoredAs: string | null
  isAutomatic: boolean
  /** It is applied without a person unless it needs review. */
  autoApply: boolean
  named: SavedMapping | null
  saved: SavedMapping[]
  unit: 'mi' | 'km'
  currency: string
  /** The customer's custom fields. */
  own: readonly CustomField[]
  /** The names of the customer's lots, in lower case. */
  lotNames: ReadonlySet<string>
}

/**
 * Reads the file of a run and stages its changes, a thousand rows at a time. Leftovers of an earlier attempt are cleared first,
 * so the job can be killed at any point. An unreadable file fails the run with the reason and changes nothing. The file is stored
 * until the run is applied, so that it can be read again with a different lot or mapping.
 */
export async function readRun(
  storage: Pick<FileStorage, 'read'>,
  work: RunWork,
  runId: string,
): Promise<void> {
  const { actor, step } = work
  const started = await step((db) => begin(db, actor, runId))
  if (started === null) return
  const places = [started.storedAs, started.secondStoredAs].flatMap((name) =>
    name === null ? [] : [placeOfRun(actor.customerId, name)],
  )
  const today = clock.today(actor.timeZone)
  const opened: Readable[] = []
  const [one, other] = places.map((place): OpenFile => async () => {
    const file = await storage.read(place)
    // Another server may have it.
    if (file === null) throw new NotHere('The file is no longer stored. Upload it again.')
    opened.push(file.body)
    return file.body
  })
  if (one === undefined) throw new Error('A run that is read has a file.')
  try {
    const { named, saved } = started
    const files =
      other === undefined
        ? {
            chosen: await chooseMapping(one, {
              named,
              saved,
              today,
              own: started.own,
              lotNames: started.lotNames,
              remembered: (columns) => step((db) => rememberedLayout(db, started.sourceId, columns)),
            }),
            first: one,
            second: null,
          }
        : await chooseJoin([one, other], { named, saved })
    if (files.chosen.mapping.second !== null && files.second === null) {
      await step((db) => waitForSecond(db, runId, files.chosen))
      return
    }
    await stageFile(work, { started, today, ...files })
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error
    await step(async (db) => {
      await db
        .updateTable('feedRuns')
        .set({
          status: 'failed',
          error: error.message,
          readAt: sql`app_now()`,
        })
        .where('id', '=', runId)
        .execute()
      await db.deleteFrom('feedRunPartners').where('runId', '=', runId).execute()
    })
  } finally {
    for (const stream of opened) stream.destroy()
  }
}

/** The run has one of its two files and waits for the other. */
async function waitForSecond(
  db: Database,
  runId: string,
  { id, version, name }: MappingChoice,
): Promise<void> {
  await db
    .updateTable('feedRuns')
    .set({ status: 'waiting', mappingId: id, mappingVersion: version, mappingName: name })
    .where('id', '=', runId)
    .execute()
}

/** Loads what is needed to read a run; null if it was already read or canceled. */
async function begin(db: Database, actor: RunWork['actor'], runId: string): Promise<StartedRun | null> {
  const run = await db
    .selectFrom('feedRuns as r')
    .leftJoin('feedSources as s', (join) =>
      join.onRef('s.customerId', '=', 'r.customerId').onRef('s.id', '=', 'r.sourceId'),
    )
    .innerJoin('customers as c', 'c.id', 'r.customerId')
    .select([
      'r.sourceId',
      'r.lotId',
      'r.lotPresumed',
      'r.storedAs',
      'r.secondStoredAs',
      'r.status',
      'r.isAutomatic',
      'r.autoApply',
      's.lotIds',
      'c.distanceUnit',
      'c.currency',
      'c.customFields',
    ])
    .select(sql<string | null>`coalesce(r.mapping_id, s.mapping_id)`.as('mappingId'))
    .where('r.id', '=', runId)
    .executeTakeFirst()
  if (run === undefined || run.status !== 'reading' || run.storedAs === null) return null
  await db.deleteFrom('feedRunRows').where('runId', '=', runId).execute()
  await db.deleteFrom('feedRunPartners').where('runId', '=', runId).execute()
  const rows = await db
    .selectFrom('providerMappings')
    .select(['id', 'version', 'name', 'mapping'])
    .orderBy('updatedAt', 'desc')
    .limit(500)
    .execute()
  const saved = rows.map((row) => ({ ...row, mapping: FeedMapping.parse(row.mapping) }))
  const lots = await db.selectFrom('lots').select('name').execute()
  const lotIds = run.lotIds ?? []
  return {
    runId,
    organizationId: actor.reach === 'customer' ? null : actor.organizationId,
    sourceId: run.sourceId,
    // A source with a single lot determines the lot of its rows.
    lotId: (run.lotPresumed ? null : run.lotId) ?? (lotIds.length === 1 ? (lotIds[0] ?? null) : null),
    lotIds,
    storedAs: run.storedAs,
    secondStoredAs: run.secondStoredAs,
    isAutomatic: run.isAutomatic,
    autoApply: run.isAutomatic && run.autoApply,
    named: saved.find(({ id }) => id === run.mappingId) ?? null,
    saved,
    unit: run.distanceUnit === 'km' ? 'km' : 'mi',
    currency: run.currency,
    own: CustomField.array().parse(run.customFields),
    lotNames: new Set(lots.map(({ name }) => name.trim().toLowerCase())),
  }
}

type Reading = {
  started: StartedRun
  chosen: MappingChoice
  today: string
  first: OpenFile
  second: OpenFile | null
}

const CHANGES_COSTS = can(Func.vehicleCost, Opr.update)

/**
 * The mapping with what people answered about the file and with the order of its dates. The other file of a pair isn't sampled: its
 * dates need a format in the mapping, or an answer.
 */
async function finalMapping(
  { started: { own }, chosen, first }: Pick<Reading, 'started' | 'chosen' | 'first'>,
  columns: readonly string[],
  answers: FeedAnswers,
): Promise<{ mapping: FeedMapping; notes: string[] }> {
  const mapping = withCurrencyColumn(withAnswers(chosen.mapping, answers), columns)
  const totals = totalNotes(chosen.mapping, answers)
  if (!hasUndecidedDates(mapping, own)) return { mapping, notes: totals }
  const rows = await sampledRows(await first(), mapping.shape)
  const orders = provedOrders(mapping, { columns, rows, own })
  return { mapping: withOrders(mapping, orders), notes: [...orderNotes(orders, mapping, own), ...totals] }
}

/** Opens the file, joined with the second one if there are two. */
async function openFiles(
  work: RunWork,
  { started, chosen, first, second }: Pick<Reading, 'started' | 'chosen' | 'first' | 'second'>,
): Promise<{ main: OpenFeed; feed: OpenFeed }> {
  const main = await openFeed(await first(), chosen.mapping.shape)
  const join = chosen.mapping.second
  if (second === null || join === null) return { main, feed: main }
  const partners = storedPartners(work, started)
  return {
    main,
    feed: await joinFeeds(main, await openFeed(await second(), join.shape), { ...join, partners }),
  }
}

function parsedRow({ line, raw }: FeedRow, mapped: MappedRow, mayChangeCosts: boolean): ParsedRow {
  const { cost, invoice, ...others } = withBlanks(columnValues(mapped.values), mapped.blank)
  return {
    line,
    raw,
    // Users who can't change vehicle costs can't change them through a file either.
    values: mayChangeCosts
      ? { ...others, ...(cost !== undefined && { cost }), ...(invoice !== undefined && { invoice }) }
      : others,
    dealer: mapped.dealer,
    status: mapped.status,
    leftOut: mapped.leftOut,
    warnings: mapped.warnings.map(({ sentence }) => sentence),
    refusals: mapped.refusals,
  }
}

async function stageFile(work: RunWork, { started, chosen, today, first, second }: Reading): Promise<void> {
  const { actor, step, tell } = work
  const { sourceId, places, ownWord, answers } = await step((db) => prepare(db, work, { started, chosen }))
  const { main, feed } = await openFiles(work, { started, chosen, first, second })
  const reading: ReadOptions = {
    unit: started.unit,
    currency: started.currency,
    today,
    ownWord,
    own: started.own,
  }
  const { mapping, notes } = await finalMapping({ started, chosen, first }, feed.columns, answers)
  const leavesOutBlank = feed.format !== 'csv'
  const map = prepareMapping(mapping, { ...reading, columns: feed.columns, leavesOutBlank })
  const importStats = makeImportStats()
  const seenRows = noSeenRows()
  const staging = {
    customerId: actor.customerId,
    sourceId,
    places,
    reading,
    isOwnExport: isOwnFile(chosen, started, answers),
    answers: vehicleAnswers(answers),
    keepsStatus: keepsStatus(sourceId, chosen, started, answers),
  }
  let [batch, text, done] = [new Array<ParsedRow>(), 0, 0]
  let staged: Promise<unknown> = Promise.resolve()
  let hasEnded = false
  /** Sends the rows to the database; the next ones are read while it compares these. */
  const flush = async (): Promise<void> => {
    const rows = batch
    ;[batch, text, done] = [[], 0, done + rows.length]
    const sum = done
    const isEnd = hasEnded
    await staged
    if (rows.length === 0) return
    staged = step(async (db) => {
      await insertRows(db, started, await compareRows(db, staging, rows, { seenRows, importStats, isEnd }))
      await tell(db, { done: sum, total: null })
    })
    // The error is rethrown to the next caller that awaits it.
    staged.catch(() => {})
  }
  const mayChangeCosts = actor.may(CHANGES_COSTS)
  let early: string | null = null
  try {
    for await (const row of feed.rows) {
      const mapped = map(row)
      const parsed = parsedRow(row, mapped, mayChangeCosts)
      importStats.row(parsed.warnings, mapped.unmapped, mapped)
      if (row.isCut === true) early = `Line ${row.line} ends before its last value.`
      batch.push(parsed)
      text += row.raw.length
      if (batch.length >= BATCH_ROWS || text >= BATCH_TEXT) await flush()
    }
  } catch (error) {
    if (!(error instanceof FeedRefusal) || done + batch.length === 0) throw error
    early = error.message
  }
  await flush()
  await staged
  hasEnded = true
  for (const waiting of chunksOf(seenRows.waiting, BATCH_ROWS)) {
    batch = waiting
    // They were counted when they were read.
    done -= waiting.length
    await flush()
  }
  await staged
  // Vehicles after the point where a file breaks off are not missing.
  const missing =
    sourceId === null || early !== null
      ? null
      : await stageMissing(work, { started, sourceId, places, seenRows, importStats })
  await step(async (db) => {
    const { customerId } = actor
    const questions = questionsOf(importStats, mapping, {
      answers,
      isProposed: chosen.id === null,
      totals: await findTotalPrices(db, { customerId, runId: started.runId, stats: importStats }),
    })
    const found = {
      unused: unusedColumns(mapping, feed.columns),
      importStats,
      missing,
      early,
      changes: chosen.changes,
      questions,
      notes: [...headerNotes(main), ...notes],
    }
    await finish(db, { customerId, started, sourceId, places, ...found })
    await noteUnknown(db, { actor, runId: started.runId, chosen }, importStats)
  })
}

const headerNotes = ({ headerLine }: OpenFeed): string[] =>
  headerLine === 1 ? [] : [`The header is on line ${headerLine}. The lines above it were left out.`]

function* chunksOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

/** Records unmapped values and unlinked dealer IDs for later mapping. */
async function noteUnknown(
  db: Database,
  { actor, runId: run, chosen }: Pick<RunWork, 'actor'> & { runId: string; chosen: MappingChoice },
  importStats: ImportStats,
): Promise<void> {
  const { values, dealers } = importStats.unknown()
  await noteUnmapped(db, { run, providerMappingId: chosen.id }, values)
  // Organization users don't have access to the lots that other dealer IDs in the feed may belong to.
  if (actor.reach === 'customer') await noteUnmatchedDealers(db, { run, source: chosen.name }, dealers)
}

/** Whether the product made the file: by its columns, or because its prices are the total prices of the vehicles. */
const isOwnFile = (
  { names, mapping }: MappingChoice,
  { own }: Pick<StartedRun, 'own'>,
  answers: FeedAnswers,
): boolean => isOwnExport(names, own) || hasTotalPrices(mapping, answers)

/**
 * Whether rows without a status leave removed vehicles removed: those of our own files, and those of files without a source unless
 * a person wants them back. What is listed by its source again comes back.
 */
const keepsStatus = (
  sourceId: string | null,
  ...[chosen, started, answers]: Parameters<typeof isOwnFile>
): boolean =>
  isOwnFile(chosen, started, answers) || (sourceId === null && vehicleAnswers(answers).comeBack !== 'back')

/** Stores the chosen mapping with the run, and finds the feed source that uses it. */
async function prepare(
  db: Database,
  { actor }: RunWork,
  { started, chosen }: Pick<Reading, 'started' | 'chosen'>,
): Promise<{ sourceId: string | null; places: LotAssignment; ownWord: ValueMap; answers: FeedAnswers }> {
  const own = started.sourceId === null && chosen.id !== null ? await sourceOf(db, actor, chosen.id) : null
  const sourceId = started.sourceId ?? own?.id ?? null
  const covered = own?.lotIds ?? started.lotIds
  const answers = await answersFor(db, { runId: started.runId, sourceId, columns: chosen.names })
  const isOwn = isOwnFile(chosen, started, answers)
  await db
    .updateTable('feedRuns')
    .set({
      sourceId,
      answers: JSON.stringify(answers),
      // For organization users the run already belongs to their organization.
      ...(own !== null &&
        actor.reach === 'customer' && { organizationId: await organizationOf(db, own.lotIds) }),
      mappingId: chosen.id,
      mappingVersion: chosen.version,
      mappingName: chosen.name,
      mapping: chosen.id === null ? JSON.stringify(chosen.mapping) : null,
      columnsKnown: chosen.columns.known,
      columnsTotal: chosen.columns.total,
      format: chosen.format,
      columns: [...chosen.names],
      keepsStatus: keepsStatus(sourceId, chosen, started, answers),
    })
    .where('id', '=', started.runId)
    .execute()
  const lotId = started.lotId ?? (covered.length === 1 ? (covered[0] ?? null) : null)
  // An automatic run may be applied without review, so no lot is assumed.
  const presumed = started.isAutomatic
    ? {}
    : { remembered: lotId === null ? await rememberedLot(db, chosen) : null, near: actor.organizationId }
  return {
    sourceId,
    places: await loadLotAssignment(db, actor, { chosen: lotId, covered, isOwnExport: isOwn, ...presumed }),
    ownWord: await readCanonical(db, { mappingId: chosen.id }),
    answers,
  }
}

/** The only upload source that uses this mapping, if there is exactly one. */
async function sourceOf(db: Database, { reach }: Pick<RunWork['actor'], 'reach'>, mappingId: string) {
  const found = await db
    .selectFrom('feedSources')
    .select(['id', 'lotIds'])
    .where('mappingId', '=', mappingId)
    .where('kind', '=', 'upload')
    .where('isActive', '=', true)
    // Organization users can only use sources of their own reach.
    .$if(reach !== 'customer', (mine) => mine.where('reach', '=', 'organization'))
    .limit(2)
    .execute()
  return found.length === 1 ? (found[0] ?? null) : null
}

type MissingCounts = { offered: number; missing: number }

async function stageMissing(
  { actor, step }: RunWork,
  of: {
    started: StartedRun
    sourceId: string
    places: LotAssignment
    seenRows: SeenRows
    importStats: ImportStats
  },
): Promise<MissingCounts> {
  const { started, sourceId, places, seenRows, importStats } = of
  const counts = { offered: 0, missing: 0 }
  let after: string | null = '0'
  while (after !== null) {
    const from: string = after
    after = await step(async (db) => {
      const page = await missingPage(
        db,
        { customerId: actor.customerId, sourceId, lotIds: places.ids, seen: seenRows.seen },
        from,
      )
      await insertRows(db, started, page.rows)
      counts.offered += page.offered
      counts.missing += page.missing
      return page.next
    })
  }
  for (let at = 0; at < counts.missing; at += 1) importStats.count('missing')
  return counts
}

/** The share of the known vehicles in a file that may become sold or wholesale at once. */
const MAX_GONE_SHARE = 0.3
const MIN_GONE = 5

function goneReasons({ gone, columns }: ImportStats): string[] {
  const { changedCount, unchangedCount } = columns()
  const known = changedCount + unchangedCount
  if (gone < MIN_GONE || gone <= known * MAX_GONE_SHARE) return []
  return [
    `The file gives ${gone} of the ${known} vehicles it shares with your inventory as sold or wholesale.`,
  ]
}

/** Vehicles whose VIN is that of another make. */
function vinReasons({ otherVins }: ImportStats): string[] {
  const all = otherVins()
  const [first] = all
  if (first === undefined) return []
  return all.length === 1 ? [first] : [`${all.length} rows have the VIN of another vehicle. ${first}`]
}

async function finish(
  db: Database,
  of: {
    customerId: string
    started: StartedRun
    sourceId: string | null
    places: LotAssignment
    importStats: ImportStats
    missing: MissingCounts | null
    early: string | null
    changes: readonly string[]
    questions: readonly FeedQuestion[]
    notes: readonly string[]
    unused: readonly string[]
  },
): Promise<void> {
  const { started, sourceId, places, importStats, missing, early, changes, questions, notes, unused } = of
  await db.updateTable('feedRuns').set(importStats.columns()).where('id', '=', started.runId).execute()
  const run = { customerId: of.customerId, runId: started.runId, lotIds: places.ids }
  const isAsked = questions.some(({ kind }) => kind === 'total')
  // The prices of the file are not what they seem.
  const prices = isAsked ? [] : await holdPrices(db, run)
  const reviewReasons = [
    ...questionReasons(questions),
    ...changes,
    ...goneReasons(importStats),
    ...vinReasons(importStats),
    ...lossReasons(importStats, await lastFill(db, sourceId), started.own),
    ...(early === null
      ? []
      : [`The file can't be read to the end, so no vehicles are counted as missing. ${early}`]),
    ...(sourceId === null
      ? []
      : await findReviewReasons(db, {
          sourceId,
          lotIds: places.ids,
          rows: importStats.columns().rowCount,
          missing,
        })),
    ...prices,
  ]
  await db
    .updateTable('feedRuns')
    .set({
      reviewReasons,
      questions: JSON.stringify(questions),
      notes: [...notes],
      unusedColumns: [...unused],
      status: reviewReasons.length > 0 ? 'review' : 'ready',
      ...(places.presumed !== null && { lotId: places.presumed, lotPresumed: true }),
      readAt: sql`app_now()`,
    })
    .where('id', '=', started.runId)
    .execute()
  await db.deleteFrom('feedRunPartners').where('runId', '=', started.runId).execute()
}
