import { sql } from 'kysely'
import type { AssessmentStatus } from '#contract/assessments/assessments/assessments.ts'
import type { Review, TargetState } from '#contract/assessments/targets/target-states.ts'
import type { OrganizationSize } from '#contract/questions/vocabulary.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'

/** A target with what its rules need from its assessment. */
export type TargetContext = Readonly<{
  id: string
  customerId: string
  organizationId: string
  facilityId: string | null
  name: string
  state: TargetState
  version: number
  closedFrom: 'submitted' | 'approved' | null
  frozenQuestions: readonly string[] | null
  assessmentId: string
  assessmentName: string
  previousId: string | null
  status: AssessmentStatus
  review: Review
  opensOn: string
  dueOn: string
  periodStart: string
  periodEnd: string
  questionnaireId: string
  number: number
  edition: string | null
  /** Its own, otherwise that of the assessment. */
  size: OrganizationSize | null
  zone: string
}>

/** @throws Failure 404 if it doesn't exist or is out of reach. */
export async function readTargetContext(db: Database, id: string): Promise<TargetContext> {
  return read(db, id)
}

/** Like `readTargetContext`; others who write to the target wait. */
export async function lockTargetContext(db: Database, id: string): Promise<TargetContext> {
  await sql`select from assessment_targets where id = ${id} for update`.execute(db)
  return read(db, id)
}

async function read(db: Database, id: string): Promise<TargetContext> {
  const { rows } = await sql<TargetContext>`
    select t.id::text, t.customer_id::text, t.organization_id::text, t.facility_id::text, coalesce(f.name, o.name) as name,
      t.state, t.version, t.closed_from, t.frozen_questions, t.assessment_id::text, a.name as assessment_name,
      a.previous_id::text, a.status, a.review, a.opens_on::text, coalesce(t.due_on, a.due_on)::text as due_on,
      a.period_start::text, a.period_end::text, a.questionnaire_id::text, a.questionnaire_number as number,
      a.edition, coalesce(t.size, a.size) as size, o.time_zone as zone
    from assessment_targets t
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    where t.id = ${id}`.execute(db)
  const [target] = rows
  if (target === undefined) throw notFound('Target')
  return target
}
