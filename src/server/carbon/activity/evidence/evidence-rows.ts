import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EvidenceFile } from '#contract/carbon/activity/evidence.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'

/** Evidence files that match a condition on `e`, oldest first. */
export async function readEvidence(db: Database, condition: RawBuilder<SqlBool>): Promise<EvidenceFile[]> {
  const { rows } = await sql<EvidenceFile>`
    select e.id::text, e.record_id::text, e.name, e.type, e.size::int, ${instant(sql`e.created_at`)} as created_at, e.created_by
    from evidence_files e where ${condition} order by e.id`.execute(db)
  return rows
}

export type RecordPlace = { recordId: string; inventoryId: string; sourceId: string; organizationId: string }

/** @throws Failure 404 if the record isn't accessible or was deleted. */
export async function findRecordPlace(db: Database, recordId: string): Promise<RecordPlace> {
  const { rows } = await sql<RecordPlace>`
    select r.id::text as record_id, s.inventory_id::text, s.id::text as source_id, s.organization_id::text from activity_records r
    join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    where r.id = ${recordId} and r.replaced_at is null`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Record')
  return found
}

export type StoredEvidence = {
  name: string
  type: string
  storedAs: string
  inventoryId: string
  isRemoved: boolean
}

/** @throws Failure 404 if it isn't accessible. */
export async function findEvidence(db: Database, id: string): Promise<StoredEvidence> {
  const { rows } = await sql<StoredEvidence>`
    select name, type, stored_as::text, inventory_id::text,
      removed_at is not null and not is_approved_evidence(evidence_files) as is_removed
    from evidence_files where id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('File')
  return found
}
