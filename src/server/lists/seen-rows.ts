import { sql } from 'kysely'
import { z } from 'zod'
import type { SeenOfRows } from '#contract/deletion.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** What the user had seen of the rows of a job, as it is stored with the job. */
export const SeenRows = z.object({
  versions: z.record(z.string(), z.int()).optional(),
  /** When the list was read, for rows without a version. */
  readAt: z.string().optional(),
})
type SeenRows = z.infer<typeof SeenRows>

/** What a caller saw, with the time by the clock of the database. */
export async function readSeen(db: Database, { versions, readMsAgo }: SeenOfRows): Promise<SeenRows> {
  if (readMsAgo === undefined) return { versions }
  const { rows } = await sql<{ at: string }>`
    select to_char((app_now() - ${readMsAgo} * interval '1 ms') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`.execute(
    db,
  )
  return { versions, readAt: rows[0]?.at }
}

/** Why rows are left out that someone changed after the user saw them, by ID. */
export function findChanged(
  { versions, readAt }: SeenRows,
  rows: readonly Readonly<{ id: string; before: object }>[],
): ReadonlyMap<string, string> {
  const isChanged = (id: string, before: object): boolean => {
    const version = versions?.[id]
    if (version !== undefined) return 'version' in before && before.version !== version
    return (
      readAt !== undefined && 'updated_at' in before && new Date(String(before.updated_at)) > new Date(readAt)
    )
  }
  return new Map(rows.flatMap(({ id, before }) => (isChanged(id, before) ? [[id, CHANGED] as const] : [])))
}

const CHANGED = 'Someone changed it in the meantime.'
