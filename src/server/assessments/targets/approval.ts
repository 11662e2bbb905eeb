import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Answerer } from './answer-scope.ts'
import type { TargetContext } from './target-context.ts'

/** How many people must approve. */
export const APPROVALS = { none: 0, one: 1, two: 2 } as const

/** How often a target was submitted. */
export async function readRound(db: Database, targetId: string): Promise<number> {
  const { rows } = await sql<{ round: number }>`
    select count(*)::int as round from assessment_snapshots where target_id = ${targetId} and kind = 'submitted'`.execute(
    db,
  )
  return rows[0]?.round ?? 0
}

/** How many people approved a target since it was submitted last. */
export async function countApprovals(db: Database, targetId: string): Promise<number> {
  const { rows } = await sql<{ approvals: number }>`
    select count(*)::int as approvals from assessment_reviews
    where target_id = ${targetId} and decision = 'approved' and round = ${await readRound(db, targetId)}`.execute(
    db,
  )
  return rows[0]?.approvals ?? 0
}

/**
 * The users who answered questions of a target: as themselves, while they impersonated someone, or as a participant with their
 * email address.
 */
export async function readAnsweringUsers(db: Database, targetId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select x.id::text from (
      select distinct l.user_id, l.actor_user_id, l.participant_id, l.customer_id from assessment_answer_log l
      where l.target_id = ${targetId} and l.kind = 'answer') l
    cross join lateral (
      select l.user_id as id union select l.actor_user_id union select u.id from assessment_people p
        join users u on u.customer_id = p.customer_id and u.email_key = lower(p.email)
      where p.customer_id = l.customer_id and p.target_id = ${targetId} and p.participant_id = l.participant_id) x
    where x.id is not null group by x.id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Why a user can't approve a target, as a sentence; null if they can. No one approves their own answers: not those they gave as a
 * user, nor those of a participant with their email address.
 */
export async function findApprovalProblem(
  db: Database,
  target: Pick<TargetContext, 'id' | 'state' | 'review' | 'status'>,
  by: Pick<Answerer, 'userId' | 'actorUserId'>,
): Promise<string | null> {
  if (target.review === 'none') return 'This assessment has no review.'
  if (target.status !== 'open') return 'This assessment is not open.'
  if (target.state !== 'submitted' && target.state !== 'in_review') return 'The answers are not submitted.'
  const userIds = [by.userId, by.actorUserId].filter((id) => id !== undefined && id !== null)
  const answered = await readAnsweringUsers(db, target.id)
  if (answered.some((id) => userIds.includes(id)))
    return 'You answered questions of this target, so someone else must approve it.'
  const { rows: approved } = await sql`
    select from assessment_reviews where target_id = ${target.id} and decision = 'approved' and user_id = any(${userIds}::bigint[])
      and round = ${await readRound(db, target.id)}`.execute(db)
  return approved.length > 0 ? 'You approved it. A second person must approve it too.' : null
}
