import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { hashEntry } from '#server/assessments/index.ts'

/** The demo data is created in one transaction, where every timestamp is the same. These functions set realistic times. */
const DAY_MS = 86_400_000
const WITH_TRIGGERS = [
  'assessments',
  'assessment_targets',
  'assessment_invitations',
  'assessment_snapshots',
] as const

async function withoutTriggers(db: Database, work: () => Promise<void>): Promise<void> {
  for (const table of WITH_TRIGGERS)
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
  await work()
  for (const table of WITH_TRIGGERS)
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
}

type Backdated = {
  assessmentId: string
  /** The day it was opened. */
  opened: string
  targets: readonly { targetId: string; at: string; dueOn: string | null }[]
}

/** Sets when an assessment was opened, and when its targets were answered, submitted and reviewed. */
export async function backdateAssessment(
  db: Database,
  { assessmentId, opened, targets }: Backdated,
): Promise<void> {
  const json = JSON.stringify(targets)
  const each = sql`jsonb_to_recordset(${json}::jsonb) as x("targetId" bigint, at timestamptz, "dueOn" date)`
  await withoutTriggers(db, async () => {
    await sql`update assessments set opened_at = ${`${opened}T16:00:00Z`}::timestamptz where id = ${assessmentId}`.execute(
      db,
    )
    await sql`update assessment_targets t set due_on = x."dueOn", submitted_at = case when t.submitted_at is not null then x.at end,
        approved_at = case when t.approved_at is not null then x.at + interval '1 day' end
      from ${each} where t.id = x."targetId"`.execute(db)
    await sql`update assessment_answers a set answered_at = x.at - interval '2 hours' from ${each} where a.target_id = x."targetId"`.execute(
      db,
    )
    await sql`update assessment_progress p set answered_at = x.at - interval '2 hours' from ${each}
      where p.target_id = x."targetId" and p.answered_at is not null`.execute(db)
    await sql`update assessment_reviews r set decided_at = x.at + interval '1 day' from ${each} where r.target_id = x."targetId"`.execute(
      db,
    )
    await sql`update assessment_flags f set flagged_at = x.at + interval '1 day' from ${each} where f.target_id = x."targetId"`.execute(
      db,
    )
    await sql`update assessment_snapshots s set made_at = x.at,
        content = regexp_replace(s.content, '"at":"[^"]*"', '"at":"' || to_char(x.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"')
      from ${each} where s.target_id = x."targetId"`.execute(db)
    await sql`update assessment_snapshots s set sha256 = encode(sha256(convert_to(s.content, 'UTF8')), 'hex')
      from ${each} where s.target_id = x."targetId"`.execute(db)
  })
  for (const { targetId, at } of targets) await backdateLog(db, targetId, at)
}

/** The time of each entry is part of its hash, so the entries are linked again. */
async function backdateLog(db: Database, targetId: string, at: string): Promise<void> {
  const { rows } = await sql<{ number: number; kind: string; content: string; loggedBy: string }>`
    select number, kind, content, logged_by from assessment_answer_log where target_id = ${targetId} order by number`.execute(
    db,
  )
  let previousSha256 = ''
  const linked = rows.map((entry) => {
    const next = { ...entry, loggedAt: at, previousSha256 }
    previousSha256 = hashEntry(next)
    return { number: entry.number, previousSha256: next.previousSha256, sha256: previousSha256 }
  })
  await sql`update assessment_answer_log l set logged_at = ${at}, previous_sha256 = x."previousSha256", sha256 = x.sha256
    from jsonb_to_recordset(${JSON.stringify(linked)}::jsonb) as x(number int, "previousSha256" text, sha256 text)
    where l.target_id = ${targetId} and l.number = x.number`.execute(db)
}

/** Sets what became of the invitations, which only emails and participants can change. */
export async function setInvitations(
  db: Database,
  targets: readonly { targetId: string; state: string }[],
  now: Date,
): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const each = sql`jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as x("targetId" bigint, state text)`
  await withoutTriggers(db, async () => {
    await sql`update assessment_invitations i set
        state = case when x.state = 'expired' then 'in_progress' else x.state end,
        sent_at = ${ago(13)}::timestamptz,
        opened_at = case when x.state in ('opened', 'in_progress', 'submitted', 'expired') then ${ago(12)}::timestamptz end,
        started_at = case when x.state in ('in_progress', 'submitted', 'expired') then ${ago(12)}::timestamptz end,
        submitted_at = case when x.state = 'submitted' then ${ago(2)}::timestamptz end,
        expires_at = case when x.state = 'expired' then ${ago(3)}::timestamptz else i.expires_at end
      from ${each} where i.target_id = x."targetId"`.execute(db)
  })
}

/** Closes an assessment as it was a year ago. */
export async function closeLastYear(
  db: Database,
  { assessmentId, now }: { assessmentId: string; now: Date },
): Promise<void> {
  const closed = new Date(now.getTime() - 335 * DAY_MS).toISOString()
  await withoutTriggers(db, async () => {
    await sql`update assessments set status = 'closed', closed_at = ${closed}::timestamptz where id = ${assessmentId}`.execute(
      db,
    )
    await sql`update assessment_targets set closed_from = state, state = 'closed' where assessment_id = ${assessmentId}`.execute(
      db,
    )
  })
}
