import { sql } from 'kysely'
import { MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import type { UnusualActivity, UnusualRecord } from '#contract/carbon/review/unusual.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { findInventory } from '../inventories/find-inventory.ts'
import { readBillWarnings } from './bill-warnings.ts'
import { findOutliers, readSubmitted } from './submitted-records.ts'
import { compareWithYearBefore, findPriorInventories, readMissingMonths } from './year-before.ts'

/**
 * What to check in an inventory: unusual submitted records, and months without records that had some last year.
 * @throws Failure 404 for the inventory.
 */
export async function readUnusual(db: Database, inventoryId: string): Promise<UnusualActivity> {
  await findInventory(db, inventoryId)
  const former = await findPriorInventories(db, inventoryId)
  const sides = { inventoryId, former }
  const found = await findUnusualRecords(db, sides)
  return {
    comparedWith: former.map(({ name }) => name),
    count: found.length,
    records: found.slice(0, MAX_ROWS),
    gone: await readMissingMonths(db, sides),
  }
}

/** The IDs of all flagged submitted records, in order. */
export async function unusualIds(db: Database, inventoryId: string): Promise<string[]> {
  const former = await findPriorInventories(db, inventoryId)
  const found = await findUnusualRecords(db, { inventoryId, former })
  return found.map(({ recordId }) => recordId)
}

/** Ordered by ID. */
async function findUnusualRecords(
  db: Database,
  sides: Parameters<typeof compareWithYearBefore>[2],
): Promise<UnusualRecord[]> {
  const inReview = await readSubmitted(db, sides.inventoryId)
  const found = new Map<string, UnusualRecord>()
  const add = (
    recordId: string,
    reason: UnusualRecord['reasons'][number],
    yearBefore: UnusualRecord['yearBefore'],
  ) => {
    const known = found.get(recordId)
    found.set(recordId, {
      recordId,
      reasons: [...(known?.reasons ?? []), reason],
      yearBefore: known?.yearBefore ?? yearBefore,
    })
  }
  for (const { recordId, sentence, ...yearBefore } of await compareWithYearBefore(db, inReview, sides))
    add(recordId, { kind: 'year_before', sentence }, yearBefore)
  for (const { recordId, sentence } of await findOutliers(db, inReview))
    add(recordId, { kind: 'source', sentence }, null)
  for (const { id, problem } of await readWithoutResult(db, sides.inventoryId))
    add(id, { kind: 'no_result', sentence: problem }, null)
  const waiting = sql`select unnest(${inReview.flatMap(({ ids }) => ids)}::bigint[])`
  for (const { recordId, kind, message } of inReview.length === 0 ? [] : await readBillWarnings(db, waiting))
    add(recordId, { kind, sentence: message }, null)
  for (const recordId of await readOverAllocated(db, sides.inventoryId))
    add(recordId, { kind: 'certificates', sentence: OVER_ALLOCATED }, null)
  return [...found.values()].toSorted((one, other) => Number(one.recordId) - Number(other.recordId))
}

const OVER_ALLOCATED =
  "More energy certificates are allocated to this source than it used. The excess isn't counted. Reduce the allocation, or check for missing bills."

/** Submitted records of sources with more certificates than consumption. */
async function readOverAllocated(db: Database, inventoryId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct r.id::text from emission_sources s
    join instrument_allocations a on a.customer_id = s.customer_id and a.source_id = s.id
    join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
      and r.status = 'submitted'
    join calculation_results x on x.customer_id = r.customer_id and x.source_id = r.source_id and x.record_id = r.id
      and x.record_version = r.version
    join calculation_lines w on w.customer_id = x.customer_id and w.id = x.line_id
    where s.inventory_id = ${inventoryId} and 'certificates-left-over' = any(w.flags)`.execute(db)
  return rows.map(({ id }) => id)
}

async function readWithoutResult(
  db: Database,
  inventoryId: string,
): Promise<{ id: string; problem: string }[]> {
  const { rows } = await sql<{ id: string; problem: string }>`
    select r.id::text, coalesce(min(x.problem), 'No result.') as problem
    from emission_sources s
    join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
    join calculation_results x on x.customer_id = r.customer_id and x.source_id = r.source_id and x.record_id = r.id
      and x.record_version = r.version and x.part = 'main' and x.kg is null
    where s.inventory_id = ${inventoryId} and r.status = 'submitted'
    group by r.id`.execute(db)
  return rows
}
