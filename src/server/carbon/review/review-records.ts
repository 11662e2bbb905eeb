import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { lockOpenInventoryRow } from '../inventories/lock-inventory-row.ts'

type ChosenRecords = readonly { id: string; version: number }[]
type Move = 'submit' | 'approve' | 'return'
type ReviewedRecord = {
  id: string
  version: number
  status: string
  submittedBy: string | null
  inventoryId: string
}

const FROM: Readonly<Record<Move, { statuses: readonly string[]; otherwise: string }>> = {
  submit: { statuses: ['draft', 'returned'], otherwise: 'This record is already in review or approved.' },
  approve: { statuses: ['submitted'], otherwise: 'This record has not been submitted for review.' },
  return: {
    statuses: ['submitted', 'approved'],
    otherwise: 'This record has not been submitted for review.',
  },
}
const TO = { submit: 'submitted', approve: 'approved', return: 'returned' } as const

/**
 * Changes the review status of records. Records that changed since the caller loaded them are skipped and listed.
 * @throws Failure 404 and 409 for the inventory.
 */
export async function changeReviewStatus(
  db: Database,
  { effectiveUserId }: { effectiveUserId: string },
  {
    inventoryId,
    records,
    move,
    comment,
  }: { inventoryId: string; records: ChosenRecords; move: Move; comment: string | null },
): Promise<{ moved: number; refused: { id: string; message: string }[] }> {
  const inventory = await lockOpenInventoryRow(db, inventoryId)
  const { rows } = await sql<ReviewedRecord>`
    select r.id::text, r.version, r.status, r.submitted_by::text, s.inventory_id::text from activity_records r
    join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    where r.id = any(${records.map(({ id }) => id)}::bigint[]) and r.replaced_at is null for update of r`.execute(
    db,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const checked = records.map(({ id, version }) => ({
    id,
    message: refusalOf(byId.get(id), version, { move, inventory, effectiveUserId }),
  }))
  const ids = checked.filter(({ message }) => message === null).map(({ id }) => id)
  const submitter = move === 'submit' ? sql`${effectiveUserId}::bigint` : sql`submitted_by`
  await sql`update activity_records set status = ${TO[move]}, review_comment = ${comment}, submitted_by = ${submitter}
    where id = any(${ids}::bigint[]) and replaced_at is null`.execute(db)
  return {
    moved: ids.length,
    refused: checked.flatMap(({ id, message }) => (message === null ? [] : [{ id, message }])),
  }
}

function refusalOf(
  found: ReviewedRecord | undefined,
  version: number,
  {
    move,
    inventory,
    effectiveUserId,
  }: { move: Move; inventory: { id: string; fourEyes: boolean }; effectiveUserId: string },
): string | null {
  if (found === undefined || found.inventoryId !== inventory.id) return 'This record has been deleted.'
  if (found.version !== version) return 'Someone else changed this record in the meantime.'
  const { statuses, otherwise } = FROM[move]
  if (!statuses.includes(found.status)) return otherwise
  const isOwn = move === 'approve' && inventory.fourEyes && found.submittedBy === effectiveUserId
  return isOwn ? 'You submitted this record, so someone else must approve it.' : null
}
