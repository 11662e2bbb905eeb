import { sql } from 'kysely'
import type { BoardState } from '#contract/assessments/targets/board-states.ts'
import type { Counted } from '#contract/lists/counted.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isOverdue } from './assessment-rows.ts'

/** Targets count as due soon this many days before their due date. */
const DUE_SOON_DAYS = 7
/** The most assessments that are listed. */
const MOST = 5

type DueAssessment = Readonly<{
  id: string
  name: string
  /** The earliest due date of a target that waits for answers. */
  dueOn: string
  /** Targets that wait for answers. */
  waiting: number
  /** With the path of the board that shows them. */
  overdue: Counted
}>
type DueAssessments = Readonly<{
  /** Targets that wait for answers after their due date. */
  overdue: number
  /** Targets that wait for answers and are due within seven days. */
  dueSoon: number
  /** Submitted targets that wait for a reviewer; null for those who don’t review. */
  toReview: number | null
  /** The open assessments that wait for answers, by due date. */
  next: DueAssessment[]
}>

const waits = sql<boolean>`(t.state in ('not_started', 'in_progress', 'changes_requested') and a.opens_on <= today(o.time_zone))`
const dueOn = sql`coalesce(t.due_on, a.due_on)`
const source = sql`assessment_targets t
  join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id and a.status = 'open'
  join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id`

/** The path of the board of an assessment with the targets of one state. */
const boardUrl = (id: string, state: BoardState): string =>
  `/assessments/${id}?${new URLSearchParams({ state })}`

type Caller = { customerId: string; may: (permission: Permission) => boolean }

/** What is due within the caller’s reach, for the dashboard. */
export async function readDueAssessments(db: Database, { customerId, may }: Caller): Promise<DueAssessments> {
  const counts = await countDueTargets(db, customerId)
  const { rows } = await sql<Omit<DueAssessment, 'overdue'> & { overdue: number }>`
    select a.id::text, a.name, min(${dueOn})::text as due_on, count(*)::int as waiting,
      count(*) filter (where ${isOverdue('a')})::int as overdue
    from ${source} where t.customer_id = ${customerId} and ${waits}
    group by a.id, a.name order by min(${dueOn}), a.name, a.id limit ${MOST}`.execute(db)
  const next = rows.map((row) => ({
    ...row,
    overdue: { count: row.overdue, url: boardUrl(row.id, 'overdue') },
  }))
  if (!may(can(Func.review, Opr.update))) return { ...counts, toReview: null, next }
  const { rows: reviews } = await sql<{ toReview: number }>`
    select count(*)::int as to_review from ${source}
    where t.customer_id = ${customerId} and t.state in ('submitted', 'in_review') and a.review <> 'none'`.execute(
    db,
  )
  return { ...counts, toReview: reviews[0]?.toReview ?? 0, next }
}

/** Targets that are overdue, or due soon, within the caller’s reach. */
export async function countDueTargets(
  db: Database,
  customerId: string,
): Promise<{ overdue: number; dueSoon: number }> {
  const { rows } = await sql<{ overdue: number; dueSoon: number }>`
    select count(*) filter (where ${isOverdue('a')})::int as overdue, count(*) filter (where ${waits} and not ${isOverdue('a')}
      and ${dueOn} <= today(o.time_zone) + ${DUE_SOON_DAYS}::int)::int as due_soon
    from ${source} where t.customer_id = ${customerId}`.execute(db)
  return rows[0] ?? { overdue: 0, dueSoon: 0 }
}
