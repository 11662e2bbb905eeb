import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { clock } from '#server/clock.ts'

/** An entry to append. `content` depends on its kind. */
export type NewLogEntry = Readonly<{
  kind: 'answer' | 'refused' | 'state'
  content: Readonly<Record<string, unknown>>
}>

type Writer = Readonly<{
  userId: string | null
  participantId: string | null
  actorUserId?: string | undefined
  name: string
}>
type Hashed = Readonly<{
  number: number
  kind: string
  content: string
  loggedBy: string
  loggedAt: string
  previousSha256: string
}>

/** The hash of an entry covers the one before, so that no entry can be changed or removed unnoticed. */
export function hashEntry(entry: Hashed): string {
  const { number, kind, content, loggedBy, loggedAt, previousSha256 } = entry
  return createHash('sha256')
    .update(JSON.stringify([previousSha256, number, kind, content, loggedBy, loggedAt]))
    .digest('hex')
}

/** Appends entries to the log of a target, which the caller has locked. */
export async function appendToLog(
  db: Database,
  target: { id: string; organizationId: string },
  by: Writer,
  entries: readonly NewLogEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const { rows } = await sql<{ number: number; sha256: string }>`
    select number, sha256 from assessment_answer_log where target_id = ${target.id} order by number desc limit 1`.execute(
    db,
  )
  const loggedAt = clock.date().toISOString()
  let number = rows[0]?.number ?? 0
  let previousSha256 = rows[0]?.sha256 ?? ''
  const chained = entries.map(({ kind, content }) => {
    number += 1
    const entry = {
      number,
      kind,
      content: JSON.stringify(content),
      loggedBy: by.name,
      loggedAt,
      previousSha256,
    }
    previousSha256 = hashEntry(entry)
    return { ...entry, sha256: previousSha256 }
  })
  await sql`
    insert into assessment_answer_log (organization_id, target_id, number, kind, content, user_id, participant_id, actor_user_id, logged_by,
      logged_at, previous_sha256, sha256)
    select ${target.organizationId}::bigint, ${target.id}::bigint, number, kind, content, ${by.userId}::bigint,
      ${by.participantId}::bigint, ${by.actorUserId ?? null}::bigint, ${by.name}, ${loggedAt}, "previousSha256", sha256
    from jsonb_to_recordset(${JSON.stringify(chained)}::jsonb)
      as x(number int, kind text, content text, "previousSha256" text, sha256 text)`.execute(db)
}

/** Whether the log of a target is complete and unchanged. */
export async function isLogIntact(db: Database, targetId: string): Promise<boolean> {
  const { rows } = await sql<Hashed & { sha256: string }>`
    select number, kind, content, logged_by, logged_at, previous_sha256, sha256
    from assessment_answer_log where target_id = ${targetId} order by number`.execute(db)
  let previous = ''
  return rows.every((entry, at) => {
    const isLinked = entry.number === at + 1 && entry.previousSha256 === previous
    previous = entry.sha256
    return isLinked && hashEntry(entry) === entry.sha256
  })
}
