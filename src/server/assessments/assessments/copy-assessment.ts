import { sql } from 'kysely'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'
import { readAssessment } from './assessment-rows.ts'

/** The same day a year later; February 29 becomes February 28. */
export function yearLater(day: string): string {
  const year = String(Number(day.slice(0, 4)) + 1).padStart(4, '0')
  return day.endsWith('-02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`
}

/**
 * Adds a draft for the next year: the same targets and people, and the latest version of the questionnaire. Facilities that
 * were closed and users who can't sign in are left out.
 * @throws Failure 409 if the questionnaire is retired
 */
export async function copyAssessment(db: Database, current: Assessment, name: string): Promise<Assessment> {
  const { rows } = await sql<{ name: string; number: number; isRetired: boolean }>`
    select name, published_number as number, retired_at is not null as is_retired from questionnaires
    where id = ${current.questionnaireId}`.execute(db)
  const [questionnaire] = rows
  if (questionnaire === undefined || questionnaire.isRetired)
    throw conflict(
      `${current.questionnaireName} is retired. Add a new assessment with another questionnaire.`,
    )
  const opensOn = yearLater(current.opensOn)
  const { id } = await db
    .insertInto('assessments')
    .values({
      organizationId: current.organizationId,
      name,
      questionnaireId: current.questionnaireId,
      questionnaireNumber: questionnaire.number,
      questionnaireName: questionnaire.name,
      edition: current.edition,
      size: current.size,
      periodStart: yearLater(current.periodStart),
      periodEnd: yearLater(current.periodEnd),
      opensOn,
      dueOn: yearLater(current.dueOn),
      review: current.review,
      recurrence: current.recurrence,
      remindUntouchedDays: current.remindUntouchedDays,
      remindStartedDays: current.remindStartedDays,
      previousId: current.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into assessment_targets (organization_id, assessment_id, facility_id, size)
    select t.organization_id, ${id}::bigint, t.facility_id, t.size from assessment_targets t
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    where t.assessment_id = ${current.id} and (f.closed_on is null or f.closed_on >= ${opensOn}::date)
    order by t.id`.execute(db)
  await sql`
    insert into assessment_people (organization_id, target_id, role, user_id, participant_id, name, email)
    select n.organization_id, n.id, p.role, p.user_id, p.participant_id, p.name, p.email from assessment_targets n
    join assessment_targets t on t.customer_id = n.customer_id and t.assessment_id = ${current.id}
      and t.organization_id = n.organization_id and t.facility_id is not distinct from n.facility_id
    join assessment_people p on p.customer_id = t.customer_id and p.target_id = t.id
    left join users u on u.customer_id = p.customer_id and u.id = p.user_id
    where n.assessment_id = ${id} and not p.is_delegate and u.is_active is distinct from false
    order by n.id, p.id`.execute(db)
  return readAssessment(db, id)
}
