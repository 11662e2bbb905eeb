import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict } from '#server/http/failure.ts'

type StartedRun = { id: string; sourceId: string | null; by: string; from: readonly string[] }

/**
 * Sets a run to `applying`. Its file is no longer needed and is removed by the sweep.
 * @param from the statuses it can start from. @returns false if it is in none of them.
 * @throws Failure 409 if another run of the source is being applied, or a later one was.
 */
export async function startApplying(db: Database, { id, sourceId, by, from }: StartedRun): Promise<boolean> {
  const changed = await explainBusy(
    db
      .updateTable('feedRuns')
      .set({ status: 'applying', error: null, appliedBy: by, storedAs: null, secondStoredAs: null })
      .where('id', '=', id)
      .where('status', 'in', from)
      .returning('id')
      .executeTakeFirst(),
  )
  if (changed === undefined) return false
  // From here on no other run of the source can start, and any that did is visible.
  await refuseOlder(db, { id, sourceId })
  return true
}

/** @throws Failure 409 instead of the unique violation when another run is being applied. */
export async function explainBusy<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another file from this feed source is being applied. Wait until it is finished.')
    }
    throw error
  }
}

/** @throws Failure 409 if a later file of the same source was already applied. */
async function refuseOlder(
  db: Database,
  { id, sourceId }: Pick<StartedRun, 'id' | 'sourceId'>,
): Promise<void> {
  if (sourceId === null) return
  const later = await db
    .selectFrom('feedRuns')
    .select('fileName')
    .where('sourceId', '=', sourceId)
    .where('id', '>', id)
    .where('status', 'in', ['applying', 'applied', 'undoing'])
    .limit(1)
    .executeTakeFirst()
  if (later !== undefined) {
    throw conflict(
      `A later file from this feed source was already applied: ${later.fileName}. To apply this one, upload it again.`,
    )
  }
}
