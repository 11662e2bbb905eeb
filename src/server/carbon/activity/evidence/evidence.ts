import { sql } from 'kysely'
import { type evidence, MAX_EVIDENCE_FILES } from '#contract/carbon/activity/evidence.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { type Limits, makeQuota, spaceOf } from '#server/files/index.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { holdOpenInventory, readOpenInventory } from '#server/carbon/inventories/hold-inventory.ts'
import { findEvidence, findRecordPlace, readEvidence } from './evidence-rows.ts'
import { evidencePlace, type StoredUpload, receiveEvidence } from './take-evidence.ts'

/** The files that prove records: rights follow the inventory, the bytes lie in the store of files. */
export function evidenceHandlers(storage: FileStorage, limits: Limits): Handlers<typeof evidence> {
  const quota = makeQuota(storage, limits)
  return {
    async list({ db, input: { recordId } }) {
      await findRecordPlace(db, recordId)
      return readEvidence(db, sql`e.record_id = ${recordId} and e.removed_at is null`)
    },

    async add({ actor: { customerId }, inTenant, input: { recordId }, files }) {
      await inTenant(async (db) => {
        const { inventoryId } = await findRecordPlace(db, recordId)
        await readOpenInventory(db, inventoryId)
      })
      const counted = await quota.begin(spaceOf(customerId))
      try {
        await putEvidence(storage, inTenant, { customerId, recordId, sent: { files, ...counted } })
      } finally {
        counted.end()
      }
      return inTenant((db) => readEvidence(db, sql`e.record_id = ${recordId} and e.removed_at is null`))
    },

    async download({ actor: { customerId }, inTenant, input: { id } }) {
      const { name, type, storedAs, isRemoved } = await inTenant((db) => findEvidence(db, id))
      const file = isRemoved ? null : await storage.read(evidencePlace(customerId, storedAs))
      if (file === null) throw notFound('File')
      return new Download({ name, type, body: file.body })
    },

    async remove({ db, input: { id } }) {
      const { inventoryId } = await findEvidence(db, id)
      await holdOpenInventory(db, inventoryId)
      await sql`update evidence_files set removed_at = app_now() where id = ${id} and removed_at is null`.execute(
        db,
      )
      return null
    },

    async restore({ db, input: { id } }) {
      const { inventoryId } = await findEvidence(db, id)
      await holdOpenInventory(db, inventoryId)
      await sql`update evidence_files set removed_at = null where id = ${id}`
        .execute(db)
        .catch((error: unknown) => {
          if (!isViolation(error, 'unique')) throw error
          throw conflict('The same file was put there again meanwhile.')
        })
      const [file] = await readEvidence(db, sql`e.id = ${id}`)
      if (file === undefined) throw notFound('File')
      return file
    },
  }
}

type Put = { customerId: string; recordId: string; sent: Parameters<typeof receiveEvidence>[2] }

/**
 * Takes files in and puts them to a record: all of them, or none.
 * @throws Failure 400 and 413 as `receiveEvidence`, 404 and 409 where the record is out of reach or frozen.
 */
export async function putEvidence(
  storage: FileStorage,
  within: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  { customerId, recordId, sent }: Put,
): Promise<void> {
  const taken = await receiveEvidence(storage, customerId, sent)
  const kept = await publishAll(storage, taken)
  const unused = await within((db) => keep(db, recordId, kept)).catch(async (error: unknown) => {
    await storage.remove(kept.map(({ storedAs }) => evidencePlace(customerId, storedAs)))
    throw error
  })
  await storage.remove(unused.map((storedAs) => evidencePlace(customerId, storedAs)))
}

async function publishAll(
  storage: FileStorage,
  taken: readonly StoredUpload[],
): Promise<readonly StoredUpload[]> {
  for (const { file } of taken) await file.publish({ replaces: false })
  return taken
}

/**
 * Puts published files to a record.
 * @returns the names in the store of those nobody needs: the same file is there, or it was removed long ago.
 */
async function keep(db: Database, recordId: string, taken: readonly StoredUpload[]): Promise<string[]> {
  const { inventoryId, sourceId, organizationId } = await findRecordPlace(db, recordId)
  await holdOpenInventory(db, inventoryId)
  const rows = taken.map(({ name, storedAs, type, size, sha256 }) => ({ name, storedAs, type, size, sha256 }))
  const { rows: kept } = await sql<{ storedAs: string }>`
    insert into evidence_files (organization_id, inventory_id, source_id, record_id, name, stored_as, type, size, sha256)
    select ${organizationId}::bigint, ${inventoryId}::bigint, ${sourceId}::bigint, ${recordId}::bigint, name, "storedAs", type, size, sha256
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(name text, "storedAs" uuid, type text, size bigint, sha256 text)
    on conflict do nothing returning stored_as::text`.execute(db)
  const { rows: there } = await sql<{ count: number }>`
    select count(*)::int as count from evidence_files where record_id = ${recordId} and removed_at is null`.execute(
    db,
  )
  if ((there[0]?.count ?? 0) > MAX_EVIDENCE_FILES)
    throw conflict(`A record has at most ${MAX_EVIDENCE_FILES} files.`)
  const { rows: old } = await sql<{ storedAs: string }>`
    delete from evidence_files where inventory_id = ${inventoryId} and removed_at < app_now() - interval '1 day'
    returning stored_as::text`.execute(db)
  const isKept = new Set(kept.map(({ storedAs }) => storedAs))
  return [
    ...taken.filter(({ storedAs }) => !isKept.has(storedAs)).map(({ storedAs }) => storedAs),
    ...old.map(({ storedAs }) => storedAs),
  ]
}
