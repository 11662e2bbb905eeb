import { sql } from 'kysely'
import {
  type Assessment,
  ASSESSMENT_LIST,
  assessmentRecord,
} from '#contract/assessments/assessments/assessments.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, notFound } from '#server/http/failure.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf } from '#server/lists/read-list.ts'

/** Whether a target waits for answers after its due date. Needs `t`, its assessment and its organization `o`. */
export const isOverdue = (assessment: string) =>
  sql<boolean>`(t.state in ('not_started', 'in_progress', 'changes_requested') and ${sql.ref(`${assessment}.status`)} = 'open'
    and coalesce(t.due_on, ${sql.ref(`${assessment}.due_on`)}) < today(o.time_zone))`

const counted = (name: string) => sql<number>`${sql.ref(`s.${name}`)}`

export const assessmentColumns = columnMap(assessmentRecord, 'assessments', {
  id: 'id',
  questionnaireId: 'id',
  periodStart: sql`assessments.period_start::text`,
  periodEnd: sql`assessments.period_end::text`,
  opensOn: sql`assessments.opens_on::text`,
  dueOn: sql`assessments.due_on::text`,
  previousId: 'id',
  organizationId: 'id',
  organizationName: sql`r.name`,
  previousName: sql`(select b.name from assessments b where b.customer_id = assessments.customer_id
    and b.id = assessments.previous_id)`,
  openedAt: 'instant',
  closedAt: 'instant',
  updatedAt: 'instant',
  targets: counted('targets'),
  notStarted: counted('not_started'),
  inProgress: counted('in_progress'),
  submitted: counted('submitted'),
  changesRequested: counted('changes_requested'),
  approved: counted('approved'),
  overdue: counted('overdue'),
  progress: counted('progress'),
  isOwn: sql`(current_setting('app.reach', true) = 'customer'
    or assessments.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint)`,
})

/** The assessments that the caller's organizations run or answer; counts are of targets within reach. */
export const assessmentSource: ListSource<keyof typeof ASSESSMENT_LIST.fields> = {
  list: ASSESSMENT_LIST,
  from: sql`assessments join organizations r on r.customer_id = assessments.customer_id and r.id = assessments.organization_id
    cross join lateral (select count(*)::int as targets,
        count(*) filter (where t.state = 'not_started')::int as not_started,
        count(*) filter (where t.state = 'in_progress')::int as in_progress,
        count(*) filter (where t.state in ('submitted', 'in_review'))::int as submitted,
        count(*) filter (where t.state = 'changes_requested')::int as changes_requested,
        count(*) filter (where t.state in ('approved', 'closed'))::int as approved,
        count(*) filter (where ${isOverdue('assessments')})::int as overdue,
        (sum(p.answered) * 100 / nullif(sum(p.questions), 0))::int as progress
      from assessment_targets t join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
      left join assessment_progress p on p.customer_id = t.customer_id and p.target_id = t.id
      where t.customer_id = assessments.customer_id and t.assessment_id = assessments.id) s`,
  table: sql`assessments`,
  within: (actor) => sql`assessments.customer_id = ${actor.customerId}`,
  id: sql`assessments.id`,
  title: sql`assessments.name`,
  fields: assessmentColumns.listFields(ASSESSMENT_LIST, {
    name: { order: sql`assessments.name_key`, isNeverNull: true },
    questionnaireName: { isNeverNull: true },
    periodStart: { isNeverNull: true },
    periodEnd: { isNeverNull: true },
    opensOn: { isNeverNull: true },
    dueOn: { isNeverNull: true },
    status: { isNeverNull: true },
    targets: { value: counted('targets'), joins: 'value', isNeverNull: true },
    approved: { value: counted('approved'), joins: 'value', isNeverNull: true },
    overdue: { value: counted('overdue'), joins: 'value', isNeverNull: true },
    progress: { value: counted('progress'), joins: 'value' },
    organizationName: { value: sql`r.name`, joins: 'value', isNeverNull: true },
    updatedAt: { isNeverNull: true },
  }),
  search: (text) => contains([sql.ref('assessments.name'), sql.ref('assessments.questionnaire_name')], text),
}

/** @throws Failure 404 if it doesn't exist or is out of reach. */
export async function readAssessment(db: Database, id: string): Promise<Assessment> {
  const { rows } = await sql<Assessment>`
    select ${assessmentColumns.select} from ${assessmentSource.from} where assessments.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound('Assessment')
  return assessmentRecord.schema.parse(row)
}

export async function readAssessments(
  db: Database,
  actor: Member,
  ids: readonly string[],
): Promise<Assessment[]> {
  const { rows } = await sql<Assessment>`
    select ${assessmentColumns.select} from ${assessmentSource.from}
    where assessments.customer_id = ${actor.customerId} and ${isOneOf(assessmentSource, ids)}`.execute(db)
  return assessmentRecord.schema.array().parse(inOrder(ids, rows))
}

/** @throws Failure 404, or 403 if another organization runs it. */
export async function lockOwnAssessment(db: Database, id: string): Promise<Assessment> {
  await sql`select from assessments where id = ${id} for update`.execute(db)
  const assessment = await readAssessment(db, id)
  if (!assessment.isOwn)
    throw forbidden(
      `${assessment.organizationName} runs this assessment. You can answer your targets, but not change it.`,
    )
  return assessment
}
