import type { AfterFetch } from '#contract/feeds/sources/feed-source-schema.ts'
import { isPattern } from '#contract/remote-server.ts'
import { splitPath } from '#contract/starred-path.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { newestFirst } from '#server/outside/transfer/newest-file.ts'
import {
  ChangedFile,
  type FoundFile,
  reasonOf,
  type Remote,
  TransferFailure,
} from '#server/outside/transfer/remote.ts'
import { clearFile } from '#server/outside/transfer/transfer.ts'
import { serverOf, type SourceServer } from './source-row.ts'
import type { ActiveSource, Within } from './ingest-feed.ts'
import { type Notices, setRemovalProblem } from '../runs/notify-owner.ts'

/** Kept short, because other sources wait and no data is transferred. */
const BOUNDS = { totalMs: 60_000, stepMs: 30_000 } as const

/** What a source does with a file after fetching it. */
export type AfterFetchSettings = { afterFetch: AfterFetch; moveTo: string | null }

/** The last file of a source that was deleted or moved, from the source's state. */
export type LastFetched = {
  takenFrom: string | null
  takenName: string | null
  takenChangedAt: string | null
}

export const NOTHING_NEW = 'There is no new file since the last one was fetched.'

/** Identifies the server and path of a file. */
function locationOf(server: SourceServer): string {
  return `${serverOf(server)} ${server.remotePath}`
}

/** Whether we deleted or moved the last file at this location, so that a missing file is not a failure. */
export function isCleared(server: SourceServer & AfterFetchSettings, { takenFrom }: LastFetched): boolean {
  return server.afterFetch !== 'keep' && takenFrom === locationOf(server)
}

/**
 * Whether a file is older than the last one fetched by a pattern. Once the newest file is removed, an older unfetched one becomes
 * the newest match; reading it would set the inventory back.
 */
export function isOvertaken(
  { path, changedAt }: FoundFile,
  server: SourceServer & AfterFetchSettings,
  last: LastFetched,
): boolean {
  const isOneOfMany = isPattern({ protocol: server.kind, path: server.remotePath ?? '' })
  if (!isOneOfMany || last.takenName === null || !isCleared(server, last)) return false
  const before = last.takenChangedAt === null ? null : new Date(last.takenChangedAt)
  const taken = { name: last.takenName, changedAt: before }
  return newestFirst({ name: splitPath(path).name, changedAt }, taken) > 0
}

/**
 * Deletes or moves a file on its server after it has been stored. If that fails, the file is still processed: the source shows
 * the reason until it succeeds, and its owner gets one email.
 * @param renew confirms that the lease is still ours; if it throws, the file stays.
 * @returns what happened as a message; null if the file is left in place
 */
export async function clearFetched(
  within: Within,
  { notices, onError }: { notices: Notices; onError: (error: unknown) => void },
  {
    source,
    server,
    remote,
    file,
    renew,
  }: {
    source: ActiveSource
    server: SourceServer & AfterFetchSettings
    remote: Remote
    file: FoundFile
    renew: (db: Database) => Promise<void>
  },
): Promise<string | null> {
  const { afterFetch, moveTo } = server
  if (afterFetch === 'keep') return null
  await within(async (db) => {
    await renew(db)
    await storeLastFetched(db, source.id, { from: locationOf(server), file })
  })
  try {
    const by =
      afterFetch === 'move' && moveTo !== null
        ? ({ kind: 'move', folder: moveTo } as const)
        : ({ kind: 'delete' } as const)
    const to = await clearFile(remote, { file, by }, BOUNDS)
    await setRemovalProblem(within, notices, { source, problem: null })
    return to === null ? 'The file was deleted from the server.' : `The file was moved to ${to}.`
  } catch (error) {
    // Nothing to do: the next run fetches the changed file.
    if (error instanceof ChangedFile) return error.message
    if (!(error instanceof TransferFailure)) onError(error)
    const verb = afterFetch === 'move' ? 'moved' : 'deleted'
    const problem = `${splitPath(file.path).name} was fetched but couldn't be ${verb} on the server: ${reasonOf(error)}`
    await setRemovalProblem(within, notices, { source, problem })
    return problem
  }
}

async function storeLastFetched(
  db: Database,
  sourceId: string,
  { from, file: { path, changedAt } }: { from: string; file: FoundFile },
): Promise<void> {
  await db
    .updateTable('feedSourceStates')
    .set({
      takenFrom: from,
      takenName: splitPath(path).name,
      takenChangedAt: changedAt === null ? null : changedAt.toISOString(),
    })
    .where('sourceId', '=', sourceId)
    .execute()
}
