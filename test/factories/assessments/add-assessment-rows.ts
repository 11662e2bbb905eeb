import type pg from 'pg'
import type { TestOrganization } from '#test/factories/test-organization.ts'

/** A row in each table of assessments. SQL for the tables whose rows need files, emails or a second person. */
export async function addAssessmentRows(owner: pg.Client | pg.Pool, place: TestOrganization): Promise<void> {
  const { customerId, organizationId } = place
  const { targetId } = await place.submitAssessment()
  await place.addAssessmentComment()
  await place.addDelegation()
  await place.addAction()
  await place.addTargetReopening()
  const at = [customerId, organizationId, targetId]
  const add = async (text: string, more: readonly unknown[] = []): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(text, [...at, ...more])
    return rows[0]?.id ?? ''
  }
  const participant = await add(
    `insert into assessment_participants (customer_id, organization_id, name, email, language)
    values ($1, $2, 'Tom Becker', 'tom.' || $3 || '@people.example', 'en') returning id`,
  )
  const person = await add(
    `insert into assessment_people (customer_id, organization_id, target_id, role, participant_id, name, email)
    values ($1, $2, $3, 'contributor', $4, 'Tom Becker', 'tom@people.example') returning id`,
    [participant],
  )
  await add(
    `insert into assessment_invitations (customer_id, organization_id, target_id, participant_id, expires_at)
    values ($1, $2, $3, $4, app_now())`,
    [participant],
  )
  await add(
    `insert into assessment_reminders (customer_id, organization_id, target_id, assignee_id, kind)
    values ($1, $2, $3, $4, 'manual')`,
    [person],
  )
  await add(
    `insert into assessment_flags (customer_id, organization_id, target_id, question_code, comment, flagged_by)
    values ($1, $2, $3, 'policy', 'Check it.', 'Nadia Rahman')`,
  )
  await add(
    `insert into assessment_reviews (customer_id, organization_id, target_id, round, decision, decided_by)
    values ($1, $2, $3, 1, 'started', 'Nadia Rahman')`,
  )
  await add(
    `insert into assessment_presence (customer_id, organization_id, target_id, visit_id, participant_id, name)
    values ($1, $2, $3, gen_random_uuid(), $4, 'Tom Becker')`,
    [participant],
  )
  await add(
    `insert into assessment_version_changes (customer_id, organization_id, target_id, from_number, to_number, changed_by)
    values ($1, $2, $3, 1, 2, 'Nadia Rahman')`,
  )
  const file = await add(
    `insert into assessment_evidence (customer_id, organization_id, target_id, name, stored_as, type, size, sha256, added_by)
    values ($1, $2, $3, 'bill.pdf', gen_random_uuid(), 'application/pdf', 1, 'x', 'Tom Becker') returning id`,
  )
  await add(
    `insert into assessment_evidence_links (customer_id, organization_id, target_id, evidence_id, question_code)
    values ($1, $2, $3, $4, 'policy')`,
    [file],
  )
}
