import type { View } from '#contract/lists/views.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure } from '#server/http/failure.ts'
import type { ListSource } from './list-source.ts'
import { countMatching } from './read-list.ts'
import { readCount } from './time-limit.ts'

/** The time limits for counting one view, and all views together. */
const ONE_MS = 1_000
const ALL_MS = 3_000

/**
 * The number of rows in each view. Null if its rule is not valid, if counting takes too long, and for lists that span all
 * customers, which cannot be read in a tenant transaction.
 */
export async function countViews(
  db: Database,
  actor: Member,
  source: ListSource,
  views: readonly View[],
): Promise<Record<string, number | null>> {
  const isCounted = source.isAcrossCustomers !== true
  const endsAt = performance.now() + ALL_MS
  const counts: Record<string, number | null> = {}
  const known = new Map<string, number | null>()
  for (const { id, state } of views) {
    const key = JSON.stringify([state.search, state.filter])
    const left = Math.min(ONE_MS, Math.round(endsAt - performance.now()))
    const isNew = !known.has(key) && isCounted && left > 0
    const count = isNew ? await countOne(db, actor, { source, state, left }) : (known.get(key) ?? null)
    known.set(key, count)
    counts[id] = count
  }
  return counts
}

async function countOne(
  db: Database,
  actor: Member,
  { source, state, left }: { source: ListSource; state: View['state']; left: number },
): Promise<number | null> {
  const counted = readOrNull(() => countMatching(source, actor, state))
  return counted === null ? null : readCount(db, counted, left)
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
