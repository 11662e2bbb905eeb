import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'

type Begun = { id: string; sourceId: string | null }

/**
 * What a later file of the same source wrote is not written over by an older one. Asked once the older one is being
 * applied: from then on no other run of its source begins, and each that did is seen.
 * @throws Failure 409
 */
export async function refuseOlder(db: Database, { id, sourceId }: Begun): Promise<void> {
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
