import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict } from '#server/http/failure.ts'

type StartedRun = { id: string; sourceId: string | null; by: string; from: readonly string[] }

/**
 * Makes a run the one of its source that is being applied. Its file is no longer needed: whoever sweeps files removes it.
 * @param from the states that it may be in. @returns false where it is in none of them.
 * @throws Failure 409 where another run of the source is being written, or a later one was.
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
  // From here on no other run of the source begins, and each that did is seen.
  await refuseOlder(db, { id, sourceId })
  return true
}

/** @throws Failure 409 in place of the database's refusal of a second run that writes. */
export async function explainBusy<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another run of this feed source is being written. Wait until it is done.')
    }
    throw error
  }
}

/** What a later file of the same source wrote is not written over by an older one. */
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
      `A later file of this feed source was applied meanwhile: ${later.fileName}. Bring this one again.`,
    )
  }
}
