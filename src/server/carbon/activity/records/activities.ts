import { sql } from 'kysely'
import type { activities } from '#contract/carbon/activity/activity.ts'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { lockOpenInventoryRow } from '#server/carbon/staleness/lock-inventory-row.ts'
import { readUnusual, unusualIds } from '#server/carbon/review/unusual.ts'
import { findInventory } from '../../inventories/find-inventory.ts'
import { previewRecord } from './preview.ts'
import { readRecords } from './record-rows.ts'
import { changeReviewStatus } from '#server/carbon/review/review-records.ts'
import { replaceEstimates, saveRecords } from './save-records.ts'
import { recalculateStale } from '#server/carbon/calculation/recalculate.ts'

/** Activity records: versioned, checked row by row, and reviewed. */
export const activityHandlers: Handlers<typeof activities> = {
  async list({ db, input: { inventoryId, facilityId, sourceId, status, only, page, pageSize } }) {
    await findInventory(db, inventoryId)
    const conditions = [
      sql`s.inventory_id = ${inventoryId} and r.replaced_at is null`,
      ...(facilityId === undefined ? [] : [sql`s.facility_id = ${facilityId}`]),
      ...(sourceId === undefined ? [] : [sql`s.id = ${sourceId}`]),
      ...(status === undefined ? [] : [sql`r.status = ${status}`]),
      ...(only === undefined ? [] : [sql`r.id = any(${await unusualIds(db, inventoryId)}::bigint[])`]),
    ]
    const where = sql<boolean>`${sql.join(conditions, sql` and `)}`
    const { rows } = await sql<{ filteredRows: number; totalRows: number }>`
      select count(*) filter (where ${where})::int as filtered_rows, count(*)::int as total_rows
      from activity_records r join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
      where s.inventory_id = ${inventoryId} and r.replaced_at is null`.execute(db)
    const results = await readRecords(db, where, { limit: pageSize, offset: (page - 1) * pageSize })
    return { filteredRows: rows[0]?.filteredRows ?? 0, totalRows: rows[0]?.totalRows ?? 0, results }
  },

  unusual: ({ db, input }) => readUnusual(db, input.inventoryId),

  save: ({ db, actor, input }) => saveRecords(db, actor, input),
  preview: ({ db, input }) => previewRecord(db, input),

  async remove({ db, input: { id, version } }) {
    const { inventoryId, status, ...there } = await lockRecord(db, id)
    if (version !== undefined && there.isThere && version !== there.version)
      throw stale('This record', await readRecord(db, id))
    if (status === 'approved') throw conflict('This record is approved. Return it before deleting it.')
    await sql`update activity_records set replaced_at = app_now(), replaced_how = 'deleted'
      where id = ${id} and replaced_at is null`.execute(db)
    await recalculateStale(db, inventoryId)
    return null
  },

  async restore({ db, input: { id } }) {
    const { inventoryId, sourceId, isThere, isOwed } = await lockRecord(db, id)
    if (!isThere && !isOwed) throw conflict('A bill covers this period now, so no estimate is needed.')
    if (!isThere) await restoreRecords(db, id)
    await replaceEstimates(db, [sourceId])
    await recalculateStale(db, inventoryId)
    return readRecord(db, id)
  },

  submit: ({ db, actor, input }) =>
    changeReviewStatus(db, actor, { ...input, move: 'submit', comment: null }),
  approve: ({ db, actor, input: { comment = null, ...input } }) =>
    changeReviewStatus(db, actor, { ...input, move: 'approve', comment }),
  returnRecords: ({ db, actor, input }) => changeReviewStatus(db, actor, { ...input, move: 'return' }),
}

type RecordState = {
  inventoryId: string
  sourceId: string
  version: number
  status: string
  isThere: boolean
  isOwed: boolean
}

/**
 * A record of an open inventory, with the inventory locked. It is read again after the lock, because it may have changed.
 * @throws Failure 404 for the record, 409 for the inventory.
 */
async function lockRecord(db: Database, id: string): Promise<RecordState> {
  const { inventoryId } = await findRecord(db, id)
  await lockOpenInventoryRow(db, inventoryId)
  return findRecord(db, id)
}

/** @throws Failure 404 if it isn't accessible or never existed. */
async function findRecord(db: Database, id: string): Promise<RecordState> {
  const { rows } = await sql<RecordState>`
    select s.inventory_id::text, r.source_id::text, r.version, r.status, r.replaced_at is null as is_there,
      r.kind <> 'estimate' or not coalesce((select range_agg(daterange(b.period_start, b.period_end, '[]'))
        from activity_records b where b.customer_id = r.customer_id and b.source_id = r.source_id and b.kind <> 'estimate'
          and b.replaced_at is null and coalesce(b.quantity, 0) >= 0) @> daterange(r.period_start, r.period_end, '[]'), false) as is_owed
    from activity_records r
    join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    where r.id = ${id} order by r.version desc limit 1`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Record')
  return found
}

async function readRecord(db: Database, id: string): Promise<ActivityRecord> {
  const [record] = await readRecords(db, sql`r.id = ${id} and r.replaced_at is null`, { limit: 1 })
  if (record === undefined) throw notFound('Record')
  return record
}

async function restoreRecords(db: Database, id: string): Promise<void> {
  const columns = sql`organization_id, source_id, kind, quantity, unit, calorific_basis, period_start, period_end, meter_from,
    meter_to, factor_id, quality, estimate_method, direct, price_year, money_rate, money_deflator, reference, comment, cost`
  await sql`insert into activity_records (id, version, ${columns})
    select id, version + 1, ${columns} from activity_records where id = ${id} order by version desc limit 1`.execute(
    db,
  )
}
