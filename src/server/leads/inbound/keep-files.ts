import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { filesText } from '#contract/leads/inbox/lead-files.ts'
import type { ReceivedMessage } from '#contract/leads/inbound/inbound-messages.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type Quota, spaceOf } from '#server/files/index.ts'
import type { FileStorage, StagedFile } from '#server/outside/file-storage.ts'
import type { MailFile } from '../adf/mail-files.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { leadFilePlace } from '../inbox/lead-files.ts'

/** A file of an email as it is noted. `storedAs` is null if it wasn't kept. */
export type KeptFile = Omit<MailFile, 'content'> & Readonly<{ storedAs: string | null }>
export type FileKeeping = Readonly<{ storage: FileStorage; quota: Quota }>

/**
 * Stores the files of an email, before the rows that name them: what a killed server leaves behind is removed by the sweep. A file for
 * which there is no room is left out with that reason. `undo` removes them again.
 */
export async function storeFiles(
  { storage, quota }: FileKeeping,
  customerId: string,
  files: readonly MailFile[],
): Promise<{ kept: KeptFile[]; undo: () => Promise<void> }> {
  const kept: KeptFile[] = []
  const undo = () =>
    storage.remove(
      kept.flatMap(({ storedAs }) => (storedAs === null ? [] : [leadFilePlace(customerId, storedAs)])),
    )
  if (files.length === 0) return { kept, undo }
  const counted = await quota.begin(storage, spaceOf(customerId))
  try {
    for (const { content, ...file } of files) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other, as large as they may be.
      const storedAs =
        content === null ? null : await storeFile({ storage, customerId, content, admit: counted.admit })
      counted.next()
      kept.push({
        ...file,
        storedAs,
        refusal: content !== null && storedAs === null ? 'storageFull' : file.refusal,
      })
    }
  } catch (error) {
    await undo()
    throw error
  } finally {
    counted.end()
  }
  return { kept, undo }
}

/** @returns null if the storage limit of the customer is reached */
async function storeFile(of: {
  storage: FileStorage
  customerId: string
  content: Uint8Array
  admit: (bytes: number) => void
}): Promise<string | null> {
  const storedAs = randomUUID()
  let isFull = false
  const file: StagedFile = await of.storage.stage(
    leadFilePlace(of.customerId, storedAs),
    Readable.from([Buffer.from(of.content.buffer, of.content.byteOffset, of.content.byteLength)]),
    (bytes) => {
      try {
        of.admit(bytes)
      } catch {
        isFull = true
      }
    },
  )
  if (isFull) {
    await file.discard()
    return null
  }
  await file.publish({ replaces: false })
  return storedAs
}

/** Notes the files of an email whose text was just stored. */
export async function noteFiles(
  db: Database,
  { sourceId, organizationId }: { sourceId: string; organizationId: string },
  files: readonly KeptFile[],
): Promise<void> {
  if (files.length === 0) return
  await db
    .insertInto('leadFiles')
    .values(
      files.map(({ name, type, bytes, sha256, storedAs, refusal }) => ({
        organizationId,
        sourceId,
        name,
        type,
        size: String(bytes),
        sha256,
        storedAs,
        refusal,
      })),
    )
    .execute()
}

/** Gives the files of an email to its leads, and says in their timelines what was kept. */
export async function giveFilesToLeads(
  db: Database,
  sourceId: string,
  leads: ReceivedMessage['leads'],
): Promise<void> {
  if (leads.length === 0) return
  const files = await db
    .selectFrom('leadFiles')
    .select(['id', 'name', 'refusal'])
    .where('sourceId', '=', sourceId)
    .orderBy('id')
    .execute()
  const text = filesText(files)
  if (text === null) return
  const fileIds = files.map(({ id }) => id)
  // After the entry that says how it came in.
  const event = {
    kind: 'files',
    byName: null,
    at: clock.date().toISOString(),
    data: { text, fileIds },
  } as const
  const { rows } = await sql<{ id: string; organizationId: string }>`
    select l.id::text, l.organization_id::text from leads l where l.id = any (${leads.map(({ id }) => id)}::bigint[]) order by l.id`.execute(
    db,
  )
  const [only, ...others] = rows
  const isNew = leads.some((lead) => lead.isNew)
  // A reply, or a lead that was sent before: it has a text of its own.
  if (only !== undefined && others.length === 0 && !isNew)
    await sql`update lead_files set lead_id = ${only.id}, organization_id = ${only.organizationId}
      where source_id = ${sourceId}`.execute(db)
  for (const { id, organizationId } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await noteLeadEvents(db, { id, organizationId }, [event])
  }
}
