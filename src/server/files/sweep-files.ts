import type { Kysely } from 'kysely'
import type pg from 'pg'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'
import { systemScope } from '#server/queue/due-items.ts'

/** A file is stored shortly before a row names it, so younger files are left alone. */
const YOUNG_MS = 3_600_000

/**
 * Removes the files of a folder that no row names: left behind by a server killed between storing a file and naming it, or no
 * longer needed. Safe to run at any time and repeatedly.
 * @param iam lists the customers. @returns the number of removed files.
 */
export async function sweepFiles(
  { storage, iam, pool }: { storage: FileStorage; iam: Kysely<DB>; pool: pg.Pool },
  of: {
    name: string
    folderOf: (customerId: string) => StoragePath
    /** The names of the files that stay. */
    readNamed: (db: Database) => Promise<Iterable<string | null>>
  },
  now = clock.now(),
): Promise<number> {
  let removed = 0
  for (const { id } of await iam.selectFrom('customers').select('id').execute()) {
    const folder = of.folderOf(id)
    const kept = (await storage.list(folder)) ?? []
    const old = kept.flatMap((one) =>
      one.kind === 'file' && now - one.updatedAt.getTime() > YOUNG_MS ? [one.name] : [],
    )
    if (old.length === 0) continue
    const named = new Set(await inTenant(pool, systemScope(id, of.name, true), of.readNamed))
    const left = old.filter((name) => !named.has(name))
    await storage.remove(left.map((name) => [...folder, name]))
    removed += left.length
  }
  return removed
}
