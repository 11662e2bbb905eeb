import { sql, type SqlBool } from 'kysely'
import type { OfferedAnswer } from '#contract/assessments/targets/targets.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import type { Answerer } from './answer-scope.ts'
import type { TargetContext } from './target-context.ts'

type Row = Omit<OfferedAnswer, 'questionCode'> & {
  questionCode: string
  conceptId: string | null
  rowKey: string
}

/**
 * Answers that could be used again: last year's to the same question, and answers to the same concept in another questionnaire
 * of an overlapping period, both of the same facility or organization and submitted. A participant is offered the latter only from
 * targets that they answer themselves: they weren't invited to the others.
 */
export async function readOfferedAnswers(
  db: Database,
  target: TargetContext,
  { compiled, by }: { compiled: CompiledDefinition; by: Pick<Answerer, 'participantId'> },
): Promise<OfferedAnswer[]> {
  const concepts = new Map(
    compiled.questions.flatMap(({ question }): [string, string][] =>
      question.conceptId === undefined ? [] : [[question.conceptId, question.code]],
    ),
  )
  const isReadable = sql<SqlBool>`(${by.participantId}::bigint is null or exists (select from assessment_people p
    join assessment_invitations i on i.customer_id = p.customer_id and i.target_id = p.target_id
      and i.participant_id = p.participant_id and i.state <> 'revoked'
    where p.customer_id = t.customer_id and p.target_id = t.id and p.participant_id = ${by.participantId}::bigint
      and not p.is_delegate))`
  const { rows } = await sql<Row>`
    select n.question_code, n.concept_id, n.row_key, n.value, n.answered_by, ${instant(sql`n.answered_at`)} as answered_at,
      t.id::text as target_id, a.name as assessment_name, a.period_start::text, a.period_end::text,
      case when a.id = ${target.previousId}::bigint then 'previous' else 'concept' end as kind
    from assessment_targets t join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    join assessment_answers n on n.customer_id = t.customer_id and n.target_id = t.id
    where t.organization_id = ${target.organizationId} and t.facility_id is not distinct from ${target.facilityId}::bigint
      and t.id <> ${target.id} and t.state in ('submitted', 'in_review', 'approved', 'closed')
      and n.value is not null and not n.is_set_aside
      and (a.id = ${target.previousId}::bigint or (${isReadable} and n.concept_id = any(${[...concepts.keys()]}::text[])
        and daterange(a.period_start, a.period_end, '[]') && daterange(${target.periodStart}::date, ${target.periodEnd}::date, '[]')))
    order by n.answered_at desc, n.place`.execute(db)
  const offered = new Map<string, OfferedAnswer>()
  for (const { conceptId, rowKey, ...row } of rows) {
    const code = row.kind === 'previous' ? row.questionCode : (concepts.get(conceptId ?? '') ?? '')
    const question = compiled.byCode.get(code)?.question
    if (question === undefined) continue
    const key = `${row.kind} ${row.targetId} ${code}`
    const known = offered.get(key)
    if (rowKey === '') offered.set(key, { ...row, questionCode: code })
    else if (known === undefined) offered.set(key, { ...row, questionCode: code, value: [row.value] })
    else if (Array.isArray(known.value)) offered.set(key, { ...known, value: [...known.value, row.value] })
  }
  return [...offered.values()]
}
