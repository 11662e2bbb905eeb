import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { snapshotWriter } from '#server/snapshots/snapshot-files.ts'
import { readApprovalHead, readApprovedLedger, readApprovedRecords } from './approval-content.ts'

/** Says how to read the file. It changes when a field gets another meaning. */
const FORMAT = 'forecourt carbon approval 1'

/**
 * Stores what was approved as a file that never changes: a JSON object with one line for each of its fields, each record and
 * each line of the ledger. Everything is in it by value, so later changes of records, factors, facilities and names don't show.
 */
export async function storeApproval(
  db: Database,
  { id: inventoryId, organizationId, eventId }: { id: string; organizationId: string; eventId: string },
): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`
    select nextval('inventory_approval_ids')::text as id, name from carbon_inventories where id = ${inventoryId}`.execute(
    db,
  )
  const [approval] = rows
  if (approval === undefined) throw new Error('An approved inventory was not found.')
  const file = snapshotWriter(async (number, content) => {
    await db
      .insertInto('inventoryApprovalParts')
      .values({ approvalId: approval.id, number, organizationId, content })
      .execute()
  })
  await file.write(`{\n"format":${JSON.stringify(FORMAT)}`)
  for (const [name, value] of Object.entries(await readApprovalHead(db, inventoryId))) {
    // The parts of a file are written in their order.
    // oxlint-disable-next-line no-await-in-loop
    await file.write(`,\n${JSON.stringify(name)}:${JSON.stringify(value)}`)
  }
  await writeRows(file, 'records', readApprovedRecords(db, inventoryId))
  const lines = await writeRows(file, 'ledger', readApprovedLedger(db, inventoryId))
  await file.write('\n}\n')
  const { sha256, size, parts } = await file.finish()
  await db
    .insertInto('inventoryApprovals')
    .values({ ...approval, organizationId, inventoryId, eventId, sha256, size: String(size), parts, lines })
    .execute()
}

/** @returns the number of rows. */
async function writeRows(
  file: ReturnType<typeof snapshotWriter>,
  name: string,
  rows: AsyncIterable<unknown>,
): Promise<number> {
  let count = 0
  await file.write(`,\n"${name}":[`)
  for await (const row of rows) {
    await file.write(`${count === 0 ? '' : ','}\n${JSON.stringify(row)}`)
    count += 1
  }
  await file.write(']')
  return count
}
