import { sql } from 'kysely'
import { type evidence, MAX_EVIDENCE_FILES } from '#contract/carbon/activity/evidence.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { type Limits, makeQuota, spaceOf } from '#server/files/index.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { lockOpenInventoryRow, readOpenInventory } from '#server/carbon/staleness/lock-inventory-row.ts'
import { findEvidence, findRecordPlace, readEvidence } from './evidence-rows.ts'
import { evidencePlace, type StoredUpload, receiveEvidence } from './receive-evidence.ts'

/** Evidence files of records. Permissions follow the inventory; the bytes are in file storage. */
export function evidenceHandlers(storageOf: OutsideStorage, limits: Limits): Handlers<typeof evidence> {
  const quota = makeQuota(limits)
  return {
    async list({ db, input: { recordId } }) {
      await findRecordPlace(db, recordId)
      return readEvidence(db, sql`e.record_id = ${recordId} and e.removed_at is null`)
    },

    async add({ actor: { customerId }, inTenant, outside, input: { recordId }, files }) {
      const storage = storageOf(outside)
      await inTenant(async (db) => {
        const { inventoryId } = await findRecordPlace(db, recordId)
        await readOpenInventory(db, inventoryId)
      })
      const counted = await quota.begin(storage, spaceOf(customerId))
      try {
        await attachEvidence(storage, inTenant, { customerId, recordId, sent: { files, ...counted } })
      } finally {
        counted.end()
      }
      return inTenant((db) => readEvidence(db, sql`e.record_id = ${recordId} and e.removed_at is null`))
    },

    async download({ actor: { customerId }, inTenant, outside, input: { id } }) {
      const { name, type, storedAs, isRemoved } = await inTenant((db) => findEvidence(db, id))
      const file = isRemoved ? null : await storageOf(outside).read(evidencePlace(customerId, storedAs))
      if (file === null) throw notFound('File')
      return new Download({ name, type, body: file.body })
    },

    async remove({ db, input: { id } }) {
      const { inventoryId } = await findEvidence(db, id)
      await lockOpenInventoryRow(db, inventoryId)
      await sql`update evidence_files set removed_at = app_now() where id = ${id} and removed_at is null`.execute(
        db,
      )
      return null
    },

    async restore({ db, input: { id } }) {
      const { inventoryId } = await findEvidence(db, id)
      await lockOpenInventoryRow(db, inventoryId)
      await sql`update evidence_files set removed_at = null where id = ${id}`
        .execute(db)
        .catch((error: unknown) => {
          if (!isViolation(error, 'unique')) throw error
          throw conflict('The same file has been added again. Reload to see it.')
        })
      const [file] = await readEvidence(db, sql`e.id = ${id}`)
      if (file === undefined) throw notFound('File')
      return file
    },
  }
}

type EvidenceUpload = { customerId: string; recordId: string; sent: Parameters<typeof receiveEvidence>[2] }

/**
 * Receives files and attaches them to a record: all of them, or none.
 * @throws Failure 400 and 413 like `receiveEvidence`, 404 and 409 if the record isn't accessible or is frozen.
 */
export async function attachEvidence(
  storage: FileStorage,
  within: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  { customerId, recordId, sent }: EvidenceUpload,
): Promise<void> {
  const uploads = await receiveEvidence(storage, (storedAs) => evidencePlace(customerId, storedAs), sent)
  const published = await publishAll(storage, uploads)
  const unused = await within((db) => insertEvidence(db, recordId, published)).catch(
    async (error: unknown) => {
      await storage.remove(published.map(({ storedAs }) => evidencePlace(customerId, storedAs)))
      throw error
    },
  )
  await storage.remove(unused.map((storedAs) => evidencePlace(customerId, storedAs)))
}

async function publishAll(
  storage: FileStorage,
  uploads: readonly StoredUpload[],
): Promise<readonly StoredUpload[]> {
  for (const { file } of uploads) await file.publish({ replaces: false })
  return uploads
}

/**
 * Attaches published files to a record.
 * @returns the stored names that are no longer needed: the same file was already there, or it was removed over a day ago.
 */
async function insertEvidence(
  db: Database,
  recordId: string,
  uploads: readonly StoredUpload[],
): Promise<string[]> {
  const { inventoryId, sourceId, organizationId } = await findRecordPlace(db, recordId)
  await lockOpenInventoryRow(db, inventoryId)
  const rows = uploads.map(({ name, storedAs, type, size, sha256 }) => ({
    name,
    storedAs,
    type,
    size,
    sha256,
  }))
  const { rows: inserted } = await sql<{ storedAs: string }>`
    insert into evidence_files (organization_id, inventory_id, source_id, record_id, name, stored_as, type, size, sha256)
    select ${organizationId}::bigint, ${inventoryId}::bigint, ${sourceId}::bigint, ${recordId}::bigint, name, "storedAs", type, size, sha256
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(name text, "storedAs" uuid, type text, size bigint, sha256 text)
    on conflict do nothing returning stored_as::text`.execute(db)
  const { rows: there } = await sql<{ count: number }>`
    select count(*)::int as count from evidence_files where record_id = ${recordId} and removed_at is null`.execute(
    db,
  )
  if ((there[0]?.count ?? 0) > MAX_EVIDENCE_FILES)
    throw conflict(`A record can have at most ${MAX_EVIDENCE_FILES} files.`)
  const { rows: old } = await sql<{ storedAs: string; isShared: boolean }>`
    delete from evidence_files where inventory_id = ${inventoryId} and removed_at < app_now() - interval '1 day'
      and not is_approved_evidence(evidence_files)
    returning stored_as::text, exists (select from evidence_files o where o.customer_id = evidence_files.customer_id
      and o.stored_as = evidence_files.stored_as and o.id <> evidence_files.id) as is_shared`.execute(db)
  const isInserted = new Set(inserted.map(({ storedAs }) => storedAs))
  return [
    ...uploads.filter(({ storedAs }) => !isInserted.has(storedAs)).map(({ storedAs }) => storedAs),
    // The inventory that this one restates, or its restatement, may have the same file.
    ...old.filter(({ isShared }) => !isShared).map(({ storedAs }) => storedAs),
  ]
}
