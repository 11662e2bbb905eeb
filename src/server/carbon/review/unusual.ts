import { sql } from 'kysely'
import { MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import type { UnusualActivity, UnusualRecord } from '#contract/carbon/review/unusual.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { findInventory } from '../activity/records/find-inventory.ts'
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
  return [...found.values()].toSorted((one, other) => Number(one.recordId) - Number(other.recordId))
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
