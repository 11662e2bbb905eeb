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
  const { rows: answered } = await sql`
    select from assessment_answer_log l where l.target_id = ${target.id} and l.kind = 'answer'
      and (l.user_id = any(${userIds}::bigint[]) or l.actor_user_id = any(${userIds}::bigint[]) or exists (select from assessment_people p join users u on u.customer_id = p.customer_id
        where p.customer_id = l.customer_id and p.target_id = l.target_id and p.participant_id = l.participant_id
          and u.id = any(${userIds}::bigint[]) and u.email_key = lower(p.email)))
    limit 1`.execute(db)
  if (answered.length > 0) return 'You answered questions of this target, so someone else must approve it.'
  const { rows: approved } = await sql`
    select from assessment_reviews where target_id = ${target.id} and decision = 'approved' and user_id = any(${userIds}::bigint[])
      and round = ${await readRound(db, target.id)}`.execute(db)
  return approved.length > 0 ? 'You approved it. A second person must approve it too.' : null
}
