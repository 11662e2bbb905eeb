import type { AfterFetch } from '#contract/inventory/feeds/sources/feed-source-schema.ts'
import { isPattern } from '#contract/inventory/feeds/sources/remote-server.ts'
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
import { type Notices, noteLeft } from './notify-owner.ts'

/** Somebody else's files wait behind it: it is no transfer of bytes. */
const BOUNDS = { wholeMs: 60_000, stepMs: 30_000 } as const

/** What a source says of a file once it was fetched. */
export type Afterwards = { afterFetch: AfterFetch; moveTo: string | null }

/** The last file of a source that was taken away, as its state has it. */
export type LastFetched = {
  takenFrom: string | null
  takenName: string | null
  takenChangedAt: string | null
}

export const NOTHING_NEW = 'No new file is there since the last one was fetched and taken away.'

/** Which place a file is taken away from: another server or another name is another place. */
function placeOf(place: SourceServer): string {
  return `${serverOf(place)} ${place.remotePath}`
}

/** Whether the last file of this very place was taken away, so that it is no failure that none is there. */
export function isCleared(place: SourceServer & Afterwards, { takenFrom }: LastFetched): boolean {
  return place.afterFetch !== 'keep' && takenFrom === placeOf(place)
}

/**
 * Whether a file is older than the last one that a pattern meant. Where the newest is taken away, an older one that nobody
 * fetched becomes the newest there: read, it would turn the stock back.
 */
export function isOvertaken(
  { path, changedAt }: FoundFile,
  place: SourceServer & Afterwards,
  last: LastFetched,
): boolean {
  const isOneOfMany = isPattern({ protocol: place.kind, path: place.remotePath ?? '' })
  if (!isOneOfMany || last.takenName === null || !isCleared(place, last)) return false
  const before = last.takenChangedAt === null ? null : new Date(last.takenChangedAt)
  const taken = { name: last.takenName, changedAt: before }
  return newestFirst({ name: splitPath(path).name, changedAt }, taken) > 0
}

/**
 * Deletes or moves a file on its server, as its source says, once it is kept here. Where that fails it was read all the same:
 * the reason stands at the source until it goes well, and the owner is told once.
 * @param hold asks once more whether the turn is still ours; what it throws leaves the file.
 * @returns what became of it as a sentence; null where it was to stay
 */
export async function clearFetched(
  within: Within,
  { notices, onError }: { notices: Notices; onError: (error: unknown) => void },
  {
    source,
    place,
    remote,
    file,
    hold,
  }: {
    source: ActiveSource
    place: SourceServer & Afterwards
    remote: Remote
    file: FoundFile
    hold: (db: Database) => Promise<void>
  },
): Promise<string | null> {
  const { afterFetch, moveTo } = place
  if (afterFetch === 'keep') return null
  await within(async (db) => {
    await hold(db)
    await noteTaken(db, source.id, { from: placeOf(place), file })
  })
  try {
    const by =
      afterFetch === 'move' && moveTo !== null
        ? ({ kind: 'move', folder: moveTo } as const)
        : ({ kind: 'delete' } as const)
    const to = await clearFile(remote, { file, by }, BOUNDS)
    await noteLeft(within, notices, { source, problem: null })
    return to === null ? 'It was deleted there.' : `It was moved there to ${to}.`
  } catch (error) {
    // Nobody has to do anything: the next turn fetches what it became.
    if (error instanceof ChangedFile) return error.message
    if (!(error instanceof TransferFailure)) onError(error)
    const verb = afterFetch === 'move' ? 'moved' : 'deleted'
    const problem = `${splitPath(file.path).name} was fetched, but could not be ${verb} there: ${reasonOf(error)}`
    await noteLeft(within, notices, { source, problem })
    return problem
  }
}

async function noteTaken(
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
