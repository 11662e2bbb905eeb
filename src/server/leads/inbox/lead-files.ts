import { type RawBuilder, sql } from 'kysely'
import type { LeadFile, leadFiles } from '#contract/leads/inbox/lead-files.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { sweepFiles } from '#server/files/index.ts'
import { notFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { StoragePath } from '#server/outside/file-storage.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'

/** The folder of files of emails. The leading underscore keeps the file manager from using it. */
const FOLDER = '_lead-files'
const folderOfLeadFiles = (customerId: string): StoragePath => [customerId, FOLDER]
export const leadFilePlace = (customerId: string, storedAs: string): StoragePath => [
  ...folderOfLeadFiles(customerId),
  storedAs,
]

/** SQL: whether a file `f` belongs to the lead `l`: it came with its email, or with a reply. */
const isOfLead = sql<boolean>`f.customer_id = l.customer_id
  and (f.lead_id = l.id or f.lead_id is null and f.source_id = l.source_id and not names_other_stores(f.source_id))`

/** SQL: the files of the lead `l` as JSON. */
export const filesOfLead: RawBuilder<LeadFile[]> =
  sql`(select coalesce(json_agg(json_build_object('id', f.id::text,
    'name', f.name, 'type', f.type, 'bytes', f.size, 'refusal', f.refusal) order by f.id), '[]')
  from lead_files f where ${isOfLead})`

/** Types that a browser could run or show as a page of ours. They are saved as bytes. */
const SHOWN_AS_PAGES = /html|xml|svg|javascript/i

/** Who may read a lead may download its files. */
export const leadFileHandlers = (storageOf: OutsideStorage): Handlers<typeof leadFiles> => ({
  async download({ actor, inTenant, outside, input: { id } }) {
    const { name, type, storedAs } = await inTenant((db) => findFile(db, id))
    const file = await storageOf(outside).read(leadFilePlace(actor.customerId, storedAs))
    if (file === null) throw notFound('File')
    return new Download({
      name,
      type: SHOWN_AS_PAGES.test(type) ? 'application/octet-stream' : type,
      body: file.body,
    })
  },
})

/** @throws Failure 404, also for a file that wasn't kept and for one whose email is no lead */
async function findFile(db: Database, id: string): Promise<{ name: string; type: string; storedAs: string }> {
  const { rows } = await sql<{ name: string; type: string; storedAs: string }>`
    select f.name, f.type, f.stored_as::text from lead_files f
    where f.id = ${id} and f.stored_as is not null and exists (select from leads l where ${isOfLead})`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw notFound('File')
  return found
}

/** The files of an email belong to another organization with its leads. */
export async function giveFiles(
  db: Database,
  leadIds: readonly string[],
  organizationId: string,
): Promise<void> {
  await sql`update lead_files f set organization_id = ${organizationId}
    where f.lead_id = any (${[...leadIds]}::bigint[]) or f.source_id in (
      select l.source_id from leads l join lead_sources s on s.customer_id = l.customer_id and s.id = l.source_id
      where l.id = any (${[...leadIds]}::bigint[]) and s.organization_id = ${organizationId})`.execute(db)
}

/** The files of a text that was copied for another organization: the same bytes. */
export async function copyFiles(
  db: Database,
  { from, to, organizationId }: { from: string; to: string; organizationId: string },
): Promise<void> {
  await sql`insert into lead_files (organization_id, source_id, name, type, size, sha256, stored_as, refusal)
    select ${organizationId}, ${to}, name, type, size, sha256, stored_as, refusal from lead_files
    where source_id = ${from} and lead_id is null order by id`.execute(db)
}

/** Removes the bytes of files whose email was deleted. @returns the number of removed files */
export function sweepLeadFiles(parts: Parameters<typeof sweepFiles>[0], now?: number): Promise<number> {
  return sweepFiles(
    parts,
    {
      name: 'lead-file-sweep',
      folderOf: folderOfLeadFiles,
      readNamed: async (db) => {
        const rows = await db.selectFrom('leadFiles').select('storedAs').execute()
        return rows.map(({ storedAs }) => storedAs)
      },
    },
    now,
  )
}
