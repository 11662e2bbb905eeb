import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { FileAnswer } from '#contract/questions/answers.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import type { TargetContext } from './target-context.ts'
import type { Answerer } from './answer-scope.ts'
import type { CurrentAnswer } from './apply-mutations.ts'
import type { References } from './read-value.ts'

/** All answers of a target, cleared ones included. */
export async function readAnswers(db: Database, targetId: string): Promise<CurrentAnswer[]> {
  const { rows } = await sql<CurrentAnswer>`
    select question_code, row_key, place::float8 as place, value, rev, is_set_aside, source ->> 'targetId' as source_target_id,
      answered_by, ${instant(sql`answered_at`)} as answered_at
    from assessment_answers where target_id = ${targetId} order by place`.execute(db)
  return rows
}

/**
 * What answers may refer to: the evidence of the target, and the facilities of its organization. A delegate, who sees only
 * some questions, may name only files that they added, or that belong to questions which they answer.
 * @param questions file questions that are answered and that the caller may answer.
 */
export async function readReferences(
  db: Database,
  target: Pick<TargetContext, 'id' | 'organizationId'>,
  {
    questions,
    delegate,
    facilities: needsFacilities,
  }: {
    questions: readonly string[]
    delegate: Pick<Answerer, 'userId' | 'participantId'> | null
    facilities: boolean
  },
): Promise<References> {
  const isOf = (more: RawBuilder<SqlBool>) => sql<SqlBool>`exists (select from assessment_evidence_links l
    where l.customer_id = e.customer_id and l.evidence_id = e.id and l.target_id = ${target.id} and ${more})`
  const isNameable =
    delegate === null
      ? sql<SqlBool>`(e.target_id = ${target.id} or ${isOf(sql<SqlBool>`true`)})`
      : sql<SqlBool>`(${isOf(sql<SqlBool>`l.question_code = any(${[...questions]}::text[])`)}
          or (e.target_id = ${target.id} and (e.user_id = ${delegate.userId}::bigint
            or e.participant_id = ${delegate.participantId}::bigint)))`
  const files =
    questions.length > 0
      ? await sql<FileAnswer>`
          select id::text, name, size::float8 as bytes, type as media_type from assessment_evidence e
          where e.removed_at is null and ${isNameable}`.execute(db)
      : { rows: [] }
  const facilities = needsFacilities
    ? await sql<{ id: string }>`
        select id::text from facilities where organization_id = ${target.organizationId}`.execute(db)
    : { rows: [] }
  return {
    files: new Map(files.rows.map((file) => [file.id, file])),
    facilities: new Set(facilities.rows.map(({ id }) => id)),
  }
}
