import { sql } from 'kysely'
import { MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import type { UnusualActivity, UnusualRecord } from '#contract/carbon/review/unusual.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { findInventory } from '../activity/records/open-inventory.ts'
import { findFar, readWaiting } from './waiting-bills.ts'
import { compareWithYearBefore, findFormer, readGone } from './year-before.ts'

/**
 * What of an inventory wants a look: submitted records that are unusual, and months that are gone since last year.
 * @throws Failure 404 of the inventory.
 */
export async function readUnusual(db: Database, inventoryId: string): Promise<UnusualActivity> {
  await findInventory(db, inventoryId)
  const former = await findFormer(db, inventoryId)
  const sides = { inventoryId, former }
  const found = await findUnusualRecords(db, sides)
  return {
    comparedWith: former.map(({ name }) => name),
    count: found.length,
    records: found.slice(0, MAX_ROWS),
    gone: await readGone(db, sides),
  }
}

/** The numbers of all submitted records that want a look, in order. */
export async function unusualIds(db: Database, inventoryId: string): Promise<string[]> {
  const former = await findFormer(db, inventoryId)
  const found = await findUnusualRecords(db, { inventoryId, former })
  return found.map(({ recordId }) => recordId)
}

/** In the order of their numbers. */
async function findUnusualRecords(
  db: Database,
  sides: Parameters<typeof compareWithYearBefore>[2],
): Promise<UnusualRecord[]> {
  const waiting = await readWaiting(db, sides.inventoryId)
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
  for (const { recordId, sentence, ...yearBefore } of await compareWithYearBefore(db, waiting, sides))
    add(recordId, { kind: 'year_before', sentence }, yearBefore)
  for (const { recordId, sentence } of await findFar(db, waiting))
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
    select r.id::text, coalesce(min(x.problem), 'There is no result.') as problem
    from emission_sources s
    join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
    join calculation_results x on x.customer_id = r.customer_id and x.source_id = r.source_id and x.record_id = r.id
      and x.record_version = r.version and x.part = 'main' and x.kg is null
    where s.inventory_id = ${inventoryId} and r.status = 'submitted'
    group by r.id`.execute(db)
  return rows
}
