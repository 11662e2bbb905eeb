import { sql, type SqlBool } from 'kysely'
import { KEPT_FILE_DAYS } from '#contract/feeds/runs/feed-runs.ts'
import { sweepFiles } from '#server/files/index.ts'
import { READABLE } from './run-list.ts'
import { folderOfRuns } from './run-file.ts'

/**
 * Removes feed files that no readable run refers to: left behind by a server killed between storing a file and creating its run,
 * or stored for a run that was not applied within a week. @returns the number of removed files.
 */
export function sweepFeedFiles(parts: Parameters<typeof sweepFiles>[0], now?: number): Promise<number> {
  const of: Parameters<typeof sweepFiles>[1] = {
    name: 'feed-sweep',
    folderOf: folderOfRuns,
    async readNamed(db) {
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
      return runs.flatMap((run) => [run.storedAs, run.secondStoredAs])
    },
  }
  return sweepFiles(parts, of, now)
}
