import { sql } from 'kysely'
import type { z } from 'zod'
import type { activities, SavedRow } from '#contract/carbon/activity/activity.ts'
import type { CellProblem, ReadActivity } from '#contract/carbon/activity/activity-schema.ts'
import type { Received } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { readToday } from '#server/database/tenant-today.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { checkRow, type Checked, type SourceFacts } from './check-row.ts'
import { holdOpenInventory } from '#server/carbon/inventories/hold-inventory.ts'
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
  /** Null: a new one. */
  id: string | null
  version: number
  kept: NonNullable<Checked['kept']>
  source: SourceFacts
}
type RowProblem = {
  key: string
  state: z.infer<typeof SavedRow>['state']
  id: string | null
  problems: CellProblem[]
  /** The same bill is there already. */
  isKnown?: true
}

/**
 * Saves what can be saved of a block, and says of the rest why not. Each change is a new version; bills take the place
 * of the estimates that lie in their period. Results follow in the same transaction where they are few.
 * @throws Failure 404 and 409 of the inventory.
 */
export async function saveRecords(db: Database, actor: Pick<Member, 'may'>, { inventoryId, rows }: Block) {
  const inventory = await holdOpenInventory(db, inventoryId)
  const judged = await judgeRows(db, actor, inventory, rows)
  const told = await writeReady(db, judged)
  const pending = judged.ready.length === 0 ? 0 : await recalculateStale(db, inventoryId)
  const shown = await readRecords(
    db,
    sql`r.id = any(${told.flatMap(({ id }) => (id === null ? [] : [id]))}::bigint[]) and r.replaced_at is null`,
    { limit: rows.length },
  )
  const byId = new Map(shown.map((record) => [record.id, record]))
  return {
    pending,
    rows: told.map(({ id, key, state, problems }) => ({
      key,
      state,
      problems,
      record: (id === null ? undefined : byId.get(id)) ?? null,
    })),
  }
}

type CheckedRow = { told: RowProblem[]; ready: Ready[] }

/** What would become of each row of a block, in order; nothing is written. New records have no number yet. */
export async function judgeRows(
  db: Database,
  actor: Pick<Member, 'may'>,
  inventory: { id: string; periodStart: string; periodEnd: string },
  rows: readonly Row[],
): Promise<CheckedRow> {
  const context = await readContext(
    db,
    inventory,
    rows.map(({ record }) => record),
  )
  const current = await readCurrent(
    db,
    rows.flatMap(({ id }) => (id === undefined ? [] : [id])),
  )
  const told: RowProblem[] = []
  const ready: Ready[] = []
  const taken = new Set<string>()
  for (const row of rows) {
    const before = row.id === undefined ? undefined : current.get(row.id)
    const refusal = row.id !== undefined && taken.has(row.id) ? TWICE : refusalOf(row, before, actor)
    const source = context.sources.get(row.record.sourceId)
    if (refusal !== null) {
      told.push({ ...refusal, key: row.key, id: before?.id ?? null })
      continue
    }
    const { problems, kept, isKnown } = checkRow(row.record, { ...context, source, ownId: row.id })
    if (kept === null || source === undefined) {
      told.push({
        key: row.key,
        state: 'refused',
        id: before?.id ?? null,
        problems,
        ...(isKnown && { isKnown }),
      })
      continue
    }
    if (row.id !== undefined) taken.add(row.id)
    ready.push({ row, id: before?.id ?? null, version: (before?.version ?? 0) + 1, kept, source })
    context.overlaps.add({ ...row.record, ...kept, id: row.id, reference: row.record.reference ?? null })
    told.push({ key: row.key, state: 'saved', id: before?.id ?? null, problems })
  }
  return { told, ready }
}

/** The most records of one statement. */
const MOST_WRITTEN = 4_000

/** Writes what was found right. @returns what was told of each row, with the numbers of the new records. */
export async function writeReady(db: Database, { told, ready }: CheckedRow): Promise<RowProblem[]> {
  const newIds = await takeIds(db, ready.filter(({ id }) => id === null).length)
  const numbered = ready.map((one) => ({ ...one, id: one.id ?? newIds.pop() ?? '' }))
  for (let at = 0; at < numbered.length; at += MOST_WRITTEN) {
    // One transaction, and no statement that takes so long that the database ends it.
    await write(db, numbered.slice(at, at + MOST_WRITTEN))
  }
  // Both are in the order of the block.
  const saved = numbered.values()
  return told.map((one) => (one.state === 'saved' ? { ...one, id: saved.next().value?.id ?? null } : one))
}

const TWICE: Pick<RowProblem, 'state' | 'problems'> = {
  state: 'refused',
  problems: [{ field: 'record', level: 'error', message: 'This record is in the block twice.' }],
}

/** Why a row is not even looked at. */
function refusalOf(
  { id, version, record }: Row,
  before: Current | undefined,
  actor: Pick<Member, 'may'>,
): Pick<RowProblem, 'state' | 'problems'> | null {
  const say = (state: RowProblem['state'], message: string): Pick<RowProblem, 'state' | 'problems'> => ({
    state,
    problems: [{ field: 'record', level: 'error', message }],
  })
  const opr = id === undefined ? Opr.create : Opr.update
  if (!actor.may(can(Func.carbonEmission, opr)))
    return say('refused', id === undefined ? 'You may not add records.' : 'You may not change records.')
  if (id === undefined) return null
  if (before === undefined) return say('gone', 'This record was deleted meanwhile.')
  if (version !== undefined && version !== before.version)
    return say('stale', 'This record was changed by someone else meanwhile.')
  if (before.status === 'approved')
    return say('refused', 'This record is approved. Return it before it is changed.')
  return before.sourceId === record.sourceId ? null : say('refused', 'A record stays with its source.')
}

/** What rows are judged by. @param isPlaced where sources stand is wanted though no row has a factor of its own. */
export async function readContext(
  db: Database,
  inventory: { id: string; periodStart: string; periodEnd: string },
  records: readonly ReadActivity[],
  { isPlaced = false }: { isPlaced?: boolean } = {},
) {
  const ids = [...new Set(records.map(({ sourceId }) => sourceId))]
  const { rows: found } = await sql<Omit<SourceFacts, 'region'> & { facilityId: string }>`
    select id::text, organization_id::text, facility_id::text, activity, scope, unit, closed, factor_id::text
    from emission_sources where inventory_id = ${inventory.id} and id = any(${ids}::bigint[])`.execute(db)
  const [terms] = await readTerms(db, [inventory.id])
  if (terms === undefined) throw notFound('Inventory')
  const byHand = isPlaced || records.some(({ factorId }) => factorId !== null)
  const regions = byHand ? await readRegions(db, terms) : new Map<string, string | null>()
  const sources = found.map(({ facilityId, ...source }): SourceFacts => ({
    ...source,
    region: regions.get(facilityId) ?? null,
  }))
  const { rows: overlaps } = await sql<OverlappingRecord>`
    select id::text, source_id::text, kind, quantity::text, unit, period_start::text, period_end::text, reference
    from activity_records where source_id = any(${sources.map(({ id }) => id)}::bigint[]) and replaced_at is null`.execute(
    db,
  )
  const reference = await loadReferenceData(db, [
    ...sources.map(({ activity, factorId }) => ({ activity, handFactorId: factorId })),
    ...records.map(({ factorId }) => ({ activity: '', handFactorId: factorId })),
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

async function readCurrent(db: Database, ids: readonly string[]): Promise<Map<string, Current>> {
  // Where nothing is held, reading alone is allowed.
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Current>`select id::text, version, status, source_id::text from activity_records
    where id = any(${[...ids]}::bigint[]) and replaced_at is null for update`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

async function takeIds(db: Database, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select nextval('activity_ids')::text as id from generate_series(1, ${count})`.execute(db)
  return rows.map(({ id }) => id).toReversed()
}

async function write(db: Database, ready: readonly (Ready & { id: string })[]): Promise<void> {
  if (ready.length === 0) return
  const rows = ready.map(({ row: { record }, id, version, kept, source }) => ({
    id,
    version,
    organization_id: source.organizationId,
    source_id: source.id,
    kind: record.kind,
    quantity: kept.quantity,
    unit: kept.unit,
    calorific_basis: kept.calorificBasis,
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
  }))
  const ids = ready.map(({ id }) => id)
  await sql`update activity_records set replaced_at = app_now(), replaced_how = 'changed'
    where id = any(${ids}::bigint[]) and replaced_at is null`.execute(db)
  const columns = sql`id, version, organization_id, source_id, kind, quantity, unit, calorific_basis, period_start, period_end,
    meter_from, meter_to, factor_id, quality, estimate_method, direct, price_year, money_rate, money_deflator, reference, comment`
  await sql`insert into activity_records (${columns})
    select ${columns} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id bigint, version integer,
      organization_id bigint, source_id bigint, kind text, quantity numeric, unit text, calorific_basis text, period_start date,
      period_end date, meter_from numeric, meter_to numeric, factor_id bigint, quality integer, estimate_method text,
      direct jsonb, price_year integer, money_rate numeric, money_deflator numeric, reference text, comment text)`.execute(
    db,
  )
  await replaceEstimates(db, [...new Set(ready.map(({ source }) => source.id))])
}

/** Bills that together have every day of an estimate take its place, also of one that was approved: both would count. */
export async function replaceEstimates(db: Database, sourceIds: readonly string[]): Promise<void> {
  const ids = sql`any(${[...sourceIds]}::bigint[])`
  await sql`update activity_records e set replaced_at = app_now(), replaced_how = 'billed'
    where e.source_id = ${ids} and e.kind = 'estimate' and e.replaced_at is null
      and (select range_agg(daterange(b.period_start, b.period_end, '[]')) from activity_records b
        where b.customer_id = e.customer_id and b.source_id = e.source_id and b.kind <> 'estimate' and b.replaced_at is null
          and b.period_start <= e.period_end and b.period_end >= e.period_start)
        @> daterange(e.period_start, e.period_end, '[]')`.execute(db)
}
