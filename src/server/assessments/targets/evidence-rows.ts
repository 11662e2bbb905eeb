import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { AnswerEvidence } from '#contract/assessments/targets/answer-evidence.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import type { TargetContext } from './target-context.ts'
import type { Answerer } from './answer-scope.ts'

type TargetScope = Pick<TargetContext, 'id' | 'organizationId' | 'facilityId' | 'zone' | 'previousId'>
type Reader = Pick<Answerer, 'userId' | 'participantId'>

const columns = (
  target: TargetScope,
  by: Reader,
) => sql`e.id::text, e.name, e.type, e.size::float8 as size, e.period_start::text, e.period_end::text,
  e.valid_until::text, coalesce(e.valid_until < today(${target.zone}), false) as is_expired, e.pages,
  array(select l.question_code from assessment_evidence_links l where l.customer_id = e.customer_id and l.evidence_id = e.id
    and l.target_id = ${target.id} order by l.question_code) as question_codes,
  e.target_id <> ${target.id} as is_from_earlier, e.added_by,
  coalesce(e.user_id = ${by.userId}::bigint or e.participant_id = ${by.participantId}::bigint, false) as is_mine, ${instant(sql`e.added_at`)} as added_at, e.version`

/**
 * Whether `e` may support answers of a target: uploaded for it, linked to it, or of the same place before and still valid. A
 * participant is offered files of the previous round only: they weren't invited to the other assessments.
 */
const isOffered = (target: TargetScope, { participantId }: Reader) => sql<SqlBool>`(e.removed_at is null
  and (e.target_id = ${target.id} or ${isOf(sql`${target.id}`)}
  or (e.valid_until >= today(${target.zone}) and exists (select from assessment_targets b where b.customer_id = e.customer_id
    and b.organization_id = ${target.organizationId} and b.facility_id is not distinct from ${target.facilityId}::bigint
    and (${participantId}::bigint is null or b.assessment_id = ${target.previousId}::bigint)
    and (b.id = e.target_id or ${isOf(sql`b.id`)})))))`
const isOf = (targetId: RawBuilder<unknown>) => sql<SqlBool>`exists (select from assessment_evidence_links l
  where l.customer_id = e.customer_id and l.evidence_id = e.id and l.target_id = ${targetId})`

/** The evidence of a target, and files of earlier years that are still valid, oldest first. */
export async function readEvidence(db: Database, target: TargetScope, by: Reader): Promise<AnswerEvidence[]> {
  return read(db, target, by, isOffered(target, by))
}

/** @throws Failure 404 if the file can't be used for the target. */
export async function readOneEvidence(
  db: Database,
  target: TargetScope,
  by: Reader,
  id: string,
): Promise<AnswerEvidence> {
  const [found] = await read(db, target, by, sql<SqlBool>`e.id = ${id} and ${isOffered(target, by)}`)
  if (found === undefined) throw notFound('File')
  return found
}

async function read(
  db: Database,
  target: TargetScope,
  by: Reader,
  condition: RawBuilder<SqlBool>,
): Promise<AnswerEvidence[]> {
  const { rows } = await sql<AnswerEvidence>`
    select ${columns(target, by)} from assessment_evidence e where e.organization_id = ${target.organizationId} and ${condition}
    order by e.id`.execute(db)
  return AnswerEvidence.array().parse(rows)
}
