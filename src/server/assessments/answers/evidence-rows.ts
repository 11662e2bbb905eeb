import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { AnswerEvidence } from '#contract/assessments/answers/answer-evidence.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import type { TargetContext } from '../assessments/target-context.ts'

type Place = Pick<TargetContext, 'id' | 'organizationId' | 'facilityId' | 'zone'>

const columns = (
  target: Place,
) => sql`e.id::text, e.name, e.type, e.size::float8 as size, e.period_start::text, e.period_end::text,
  e.valid_until::text, coalesce(e.valid_until < today(${target.zone}), false) as is_expired, e.pages,
  array(select l.question_code from assessment_evidence_links l where l.customer_id = e.customer_id and l.evidence_id = e.id
    and l.target_id = ${target.id} order by l.question_code) as question_codes,
  e.target_id <> ${target.id} as is_from_earlier, e.added_by, ${instant(sql`e.added_at`)} as added_at, e.version`

/** Whether `e` may support answers of a target: uploaded for it, or for the same place before and still valid. */
const isOffered = (target: Place) => sql<SqlBool>`(e.removed_at is null and (e.target_id = ${target.id}
  or exists (select from assessment_evidence_links l where l.customer_id = e.customer_id and l.evidence_id = e.id
    and l.target_id = ${target.id})
  or (e.valid_until >= today(${target.zone}) and exists (select from assessment_targets b where b.customer_id = e.customer_id
    and b.id = e.target_id and b.organization_id = ${target.organizationId}
    and b.facility_id is not distinct from ${target.facilityId}::bigint))))`

/** The evidence of a target, and files of earlier years that are still valid, oldest first. */
export async function readEvidence(db: Database, target: Place): Promise<AnswerEvidence[]> {
  return read(db, target, isOffered(target))
}

/** @throws Failure 404 if the file can't be used for the target. */
export async function readOneEvidence(db: Database, target: Place, id: string): Promise<AnswerEvidence> {
  const [found] = await read(db, target, sql<SqlBool>`e.id = ${id} and ${isOffered(target)}`)
  if (found === undefined) throw notFound('File')
  return found
}

async function read(db: Database, target: Place, condition: RawBuilder<SqlBool>): Promise<AnswerEvidence[]> {
  const { rows } = await sql<AnswerEvidence>`
    select ${columns(target)} from assessment_evidence e where e.organization_id = ${target.organizationId} and ${condition}
    order by e.id`.execute(db)
  return AnswerEvidence.array().parse(rows)
}
