import { chainOf, NEAREST_COUNTRY } from '../facility-chain.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { activities, SavedRow } from '#contract/carbon/activity/activity.ts'
import type { CellProblem, ParsedActivity } from '#contract/carbon/activity/activity-schema.ts'
import type { Received } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { readToday } from '#server/database/tenant-today.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { checkRow, type RowCheck, type SourceFacts } from './check-row.ts'
import { lockOpenInventoryRow } from '#server/carbon/staleness/lock-inventory-row.ts'
import { makeOverlapIndex, type OverlappingRecord } from '#server/carbon/calculation/overlap-index.ts'
import { type OpenInventory, readPlaces, readTerms } from '#server/carbon/calculation/read-facilities.ts'
import { readRecords } from './record-rows.ts'
import { loadReferenceData } from '#server/carbon/calculation/load-reference-data.ts'
import { recalculateStale } from '#server/carbon/calculation/recalculate.ts'

type Block = Received<typeof activities.save>
type Row = Block['rows'][number]
type Current = { id: string; version: number; status: string; sourceId: string }
type Ready = {
  row: Row
  /** Null for a new record. */
  id: string | null
  version: number
  normalized: NonNullable<RowCheck['normalized']>
  source: SourceFacts
}
type RowResult = {
  key: string
  state: z.infer<typeof SavedRow>['state']
  id: string | null
  problems: CellProblem[]
  /** The record of the same bill, if it already exists. */
  knownId?: string
}

/**
 * Saves the valid rows and returns the problems of the others. Each change is a new version; bills replace the estimates
 * within their period. Results are recalculated in the same transaction unless they are many.
 * @throws Failure 404 and 409 for the inventory.
 */
export async function saveRecords(db: Database, actor: Pick<Member, 'may'>, { inventoryId, rows }: Block) {
  const inventory = await lockOpenInventoryRow(db, inventoryId)
  const checked = await checkRows(db, actor, inventory, rows)
  const results = await saveReady(db, checked)
  const pending = checked.ready.length === 0 ? 0 : await recalculateStale(db, inventoryId)
  const shown = await readRecords(
    db,
    sql`r.id = any(${results.flatMap(({ id }) => (id === null ? [] : [id]))}::bigint[]) and r.replaced_at is null`,
    { limit: rows.length },
  )
  const byId = new Map(shown.map((record) => [record.id, record]))
  return {
    pending,
    rows: results.map(({ id, key, state, problems }) => ({
      key,
      state,
      problems,
      record: (id === null ? undefined : byId.get(id)) ?? null,
    })),
  }
}

type CheckedRows = { results: RowResult[]; ready: Ready[] }

/**
 * Checks each row, in order; nothing is saved. New records have no ID yet.
 * @param isMatched new rows are known to be none of the stored bills
 */
export async function checkRows(
  db: Database,
  actor: Pick<Member, 'may'>,
  inventory: { id: string; periodStart: string; periodEnd: string },
  rows: readonly Row[],
  { isPreview = false, isMatched = false }: { isPreview?: boolean; isMatched?: boolean } = {},
): Promise<CheckedRows> {
  const context = await readContext(
    db,
    inventory,
    rows.map(({ record }) => record),
  )
  const current = await readCurrent(
    db,
    rows.flatMap(({ id }) => (id === undefined ? [] : [id])),
    { isPreview },
  )
  const results: RowResult[] = []
  const ready: Ready[] = []
  const seen = new Set<string>()
  for (const row of rows) {
    const before = row.id === undefined ? undefined : current.get(row.id)
    const refusal = row.id !== undefined && seen.has(row.id) ? DUPLICATE : refusalOf(row, before, actor)
    const source = context.sources.get(row.record.sourceId)
    if (refusal !== null) {
      results.push({ ...refusal, key: row.key, id: before?.id ?? null })
      continue
    }
    const { problems, normalized, knownId } = checkRow(row.record, {
      ...context,
      source,
      ownId: row.id,
      isMatched,
    })
    if (normalized === null || source === undefined) {
      results.push({
        key: row.key,
        state: 'refused',
        id: before?.id ?? null,
        problems,
        ...(knownId !== undefined && { knownId }),
      })
      continue
    }
    if (row.id !== undefined) seen.add(row.id)
    ready.push({ row, id: before?.id ?? null, version: (before?.version ?? 0) + 1, normalized, source })
    context.overlaps.add({
      ...row.record,
      ...normalized,
      id: row.id,
      reference: row.record.reference ?? null,
    })
    results.push({ key: row.key, state: 'saved', id: before?.id ?? null, problems })
  }
  return { results, ready }
}

/** The most records in one statement. */
const MOST_WRITTEN = 4_000

/** Saves the valid rows. @returns the result of each row, with the IDs of new records. */
export async function saveReady(db: Database, { results, ready }: CheckedRows): Promise<RowResult[]> {
  const newIds = await nextIds(db, ready.filter(({ id }) => id === null).length)
  const numbered = ready.map((one) => ({ ...one, id: one.id ?? newIds.pop() ?? '' }))
  for (let at = 0; at < numbered.length; at += MOST_WRITTEN) {
    // One transaction, but several statements, so that none of them reaches the statement timeout.
    await write(db, numbered.slice(at, at + MOST_WRITTEN))
  }
  // Both are in the order of the rows.
  const saved = numbered.values()
  return results.map((one) => (one.state === 'saved' ? { ...one, id: saved.next().value?.id ?? null } : one))
}

const DUPLICATE: Pick<RowResult, 'state' | 'problems'> = {
  state: 'refused',
  problems: [{ field: 'record', level: 'error', message: 'This record is listed twice.' }],
}

/** Why a row is rejected before its values are checked. */
function refusalOf(
  { id, version, record }: Row,
  before: Current | undefined,
  actor: Pick<Member, 'may'>,
): Pick<RowResult, 'state' | 'problems'> | null {
  const reject = (state: RowResult['state'], message: string): Pick<RowResult, 'state' | 'problems'> => ({
    state,
    problems: [{ field: 'record', level: 'error', message }],
  })
  const opr = id === undefined ? Opr.create : Opr.update
  if (!actor.may(can(Func.activityData, opr)))
    return reject(
      'refused',
      id === undefined
        ? "You don't have permission to add records."
        : "You don't have permission to change records.",
    )
  if (id === undefined) return null
  if (before === undefined) return reject('gone', 'This record has been deleted.')
  if (version !== undefined && version !== before.version)
    return reject('stale', 'Someone else changed this record in the meantime.')
  if (before.status === 'approved')
    return reject('refused', 'This record is approved. Return it before changing it.')
  return before.sourceId === record.sourceId
    ? null
    : reject('refused', "A record can't be moved to another source.")
}

/** The data that rows are checked against. @param isPlaced loads the regions of sources even if no row has a manual factor. */
export async function readContext(
  db: Database,
  inventory: { id: string; periodStart: string; periodEnd: string },
  records: readonly ParsedActivity[],
  { isPlaced = false }: { isPlaced?: boolean } = {},
) {
  const ids = [...new Set(records.map(({ sourceId }) => sourceId))]
  const { rows: found } = await sql<Omit<SourceFacts, 'region'> & { facilityId: string }>`
    select s.id::text, s.organization_id::text, s.facility_id::text, s.activity, s.scope, s.unit, s.closed, s.factor_id::text,
      place.country, place.opened_on::text, place.closed_on::text
    from emission_sources s cross join lateral (
      with ${chainOf(sql`s.facility_id`)}
        select ${NEAREST_COUNTRY} as country,
          max(f.opened_on) as opened_on, min(f.closed_on) as closed_on from chain c join facilities f on f.id = c.id) place
    where s.inventory_id = ${inventory.id} and s.id = any(${ids}::bigint[])`.execute(db)
  const [terms] = await readTerms(db, [inventory.id])
  if (terms === undefined) throw notFound('Inventory')
  const needsRegions = isPlaced || records.some(({ factorId }) => factorId !== null)
  const regions = needsRegions ? await readRegions(db, terms) : new Map<string, string | null>()
  const sources = found.map(({ facilityId, ...source }): SourceFacts => ({
    ...source,
    region: regions.get(facilityId) ?? null,
  }))
  const { rows: overlaps } = await sql<OverlappingRecord>`
    select id::text, source_id::text, kind, quantity::text, unit, period_start::text, period_end::text, reference
    from activity_records where source_id = any(${sources.map(({ id }) => id)}::bigint[]) and replaced_at is null`.execute(
    db,
  )
  const reference = await loadReferenceData(db, terms, [
    ...sources.map(({ activity, factorId }) => ({ activity, manualFactorId: factorId })),
    ...records.map(({ factorId }) => ({ activity: '', manualFactorId: factorId })),
  ])
  return {
    inventory,
    sources: new Map(sources.map((source) => [source.id, source])),
    overlaps: makeOverlapIndex(overlaps),
    reference,
    terms,
    today: await readToday(db),
  }
}

async function readRegions(db: Database, terms: OpenInventory): Promise<Map<string, string | null>> {
  const { regions } = await readPlaces(db, [terms])
  return new Map(regions.map(({ facilityId, region }) => [facilityId, region]))
}

async function readCurrent(
  db: Database,
  ids: readonly string[],
  { isPreview }: { isPreview: boolean },
): Promise<Map<string, Current>> {
  if (ids.length === 0) return new Map()
  // It fails in the read-only transaction of a preview.
  const lock = isPreview ? sql`` : sql`for update`
  const { rows } = await sql<Current>`select id::text, version, status, source_id::text from activity_records
    where id = any(${[...ids]}::bigint[]) and replaced_at is null ${lock}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

async function nextIds(db: Database, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select nextval('activity_ids')::text as id from generate_series(1, ${count})`.execute(db)
  return rows.map(({ id }) => id).toReversed()
}

async function write(db: Database, ready: readonly (Ready & { id: string })[]): Promise<void> {
  if (ready.length === 0) return
  const rows = ready.map(({ row: { record }, id, version, normalized, source }) => ({
    id,
    version,
    organization_id: source.organizationId,
    source_id: source.id,
    kind: record.kind,
    quantity: normalized.quantity,
    unit: normalized.unit,
    calorific_basis: normalized.calorificBasis,
    period_start: record.periodStart,
    period_end: record.periodEnd,
    meter_from: record.kind === 'meter' ? record.meterFrom : null,
    meter_to: record.kind === 'meter' ? record.meterTo : null,
    factor_id: record.factorId,
    quality: record.quality,
    estimate_method: record.kind === 'estimate' ? record.estimateMethod : null,
    direct: record.kind === 'direct' ? record.direct : null,
    price_year: record.priceYear,
    money_rate: record.moneyRate,
    money_deflator: record.moneyDeflator,
    reference: record.reference ?? null,
    comment: record.comment ?? null,
    cost: record.cost ?? null,
  }))
  const ids = ready.map(({ id }) => id)
  await sql`update activity_records set replaced_at = app_now(), replaced_how = 'changed'
    where id = any(${ids}::bigint[]) and replaced_at is null`.execute(db)
  const columns = sql`id, version, organization_id, source_id, kind, quantity, unit, calorific_basis, period_start, period_end,
    meter_from, meter_to, factor_id, quality, estimate_method, direct, price_year, money_rate, money_deflator, reference, comment, cost`
  await sql`insert into activity_records (${columns})
    select ${columns} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id bigint, version integer,
      organization_id bigint, source_id bigint, kind text, quantity numeric, unit text, calorific_basis text, period_start date,
      period_end date, meter_from numeric, meter_to numeric, factor_id bigint, quality integer, estimate_method text,
      direct jsonb, price_year integer, money_rate numeric, money_deflator numeric, reference text, comment text, cost numeric)`.execute(
    db,
  )
  await replaceEstimates(db, [...new Set(ready.map(({ source }) => source.id))])
}

/** Replaces estimates whose days are all covered by bills, even approved ones: otherwise both would count. */
export async function replaceEstimates(db: Database, sourceIds: readonly string[]): Promise<void> {
  const ids = sql`any(${[...sourceIds]}::bigint[])`
  await sql`update activity_records e set replaced_at = app_now(), replaced_how = 'billed'
    where e.source_id = ${ids} and e.kind = 'estimate' and e.replaced_at is null
      and (select range_agg(daterange(b.period_start, b.period_end, '[]')) from activity_records b
        where b.customer_id = e.customer_id and b.source_id = e.source_id and b.kind <> 'estimate' and b.replaced_at is null
          and coalesce(b.quantity, 0) >= 0 and b.period_start <= e.period_end and b.period_end >= e.period_start)
        @> daterange(e.period_start, e.period_end, '[]')`.execute(db)
}
