import { sql, type Kysely, type SqlBool } from 'kysely'
import type pg from 'pg'
import { KEPT_FILE_DAYS } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { READABLE } from './run-list.ts'
import { folderOfRuns, placeOfRun } from './run-file.ts'

/** A file is stored shortly before its run is created, so younger files are left alone. */
const YOUNG_MS = 3_600_000

/**
 * Removes feed files that no readable run refers to: left behind by a server killed between storing a file and creating its run,
 * or stored for a run that was not applied within a week. Safe to run at any time and repeatedly.
 * @param iam lists the customers. @returns the number of removed files.
 */
export async function sweepFeedFiles(
  { storage, iam, pool }: { storage: FileStorage; iam: Kysely<DB>; pool: pg.Pool },
  now = clock.now(),
): Promise<number> {
  let removed = 0
  for (const { id } of await iam.selectFrom('customers').select('id').execute()) {
    const kept = (await storage.list(folderOfRuns(id))) ?? []
    const old = kept.flatMap((one) =>
      one.kind === 'file' && now - one.updatedAt.getTime() > YOUNG_MS ? [one.name] : [],
    )
    if (old.length === 0) continue
    const isNamed = await inTenant(pool, scopeOfCustomer(id), async (db) => {
      const runs = await db
        .selectFrom('feedRuns')
        .select(['storedAs', 'secondStoredAs'])
        .where((is) =>
          is.or([
            is('status', 'in', ['waiting', 'reading']),
            is.and([
              is('status', 'in', READABLE),
              sql<SqlBool>`created_at > app_now() - ${KEPT_FILE_DAYS} * interval '1 day'`,
            ]),
          ]),
        )
        .execute()
      return new Set(runs.flatMap((run) => [run.storedAs, run.secondStoredAs]))
    })
    const left = old.filter((name) => !isNamed.has(name))
    await storage.remove(left.map((name) => placeOfRun(id, name)))
    removed += left.length
  }
  return removed
}

/** A read-only system scope that sees every run of a customer. */
const scopeOfCustomer = (customerId: string) => ({
  customerId,
  organizationId: null,
  reach: 'customer' as const,
  actorUserId: null,
  actorName: null,
  effectiveUserId: null,
  effectiveName: null,
  endpoint: 'feed-sweep',
  isReadOnly: true,
})
