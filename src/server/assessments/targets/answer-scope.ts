import { sql } from 'kysely'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { TargetContext } from './target-context.ts'

/** Who answers, comments or submits. Exactly one of the two IDs is set. */
export type Answerer = Readonly<{
  userId: string | null
  participantId: string | null
  /** Who impersonates the user. */
  actorUserId?: string | undefined
  name: string
  /** Staff who may answer every target within reach, unless they are one of its people. */
  answersAll: boolean
}>

/**
 * A signed-in user as an answerer. They may answer every target within reach that they aren't assigned another role at, except
 * what was delegated.
 */
export function answererOf(actor: Member): Answerer {
  const { userId, effectiveUserId, effectiveFullName } = actor
  return {
    userId: effectiveUserId,
    participantId: null,
    ...(userId !== effectiveUserId && { actorUserId: userId }),
    name: effectiveFullName,
    answersAll: actor.may(can(Func.assessments, Opr.update)),
  }
}

/** What someone may do at a target. */
export type AnswerScope = Readonly<{
  assigneeId: string | null
  /** Their role; null: staff who aren't among the people. */
  role: 'owner' | 'contributor' | 'reader' | 'reviewer' | null
  /** They see only what was delegated to them. */
  isDelegate: boolean
  /** They may submit, and delegate. */
  maySubmit: boolean
  /** They may answer this question, or this row of it. */
  mayAnswer: (questionCode: string, rowKey: string) => boolean
  /** They may answer this question or some of its rows. */
  mayAnswerPart: (questionCode: string) => boolean
}>

type Part = {
  assigneeId: string
  sectionId: string | null
  questionCode: string | null
  rowKey: string | null
}
type Person = {
  assigneeId: string
  role: 'owner' | 'contributor' | 'reader' | 'reviewer'
  isDelegate: boolean
}

/**
 * What someone may answer at a target. What was delegated is answered by its delegate only, until it is taken back: also staff
 * who aren't among the people take it back first, so that its delegate learns of it. `sectionOf` returns the section of a
 * question.
 */
export async function readAnswerScope(
  db: Database,
  { id }: Pick<TargetContext, 'id'>,
  by: Answerer,
  sectionOf: (questionCode: string) => string | undefined,
): Promise<AnswerScope> {
  const { rows } = await sql<{ person: Person | null; delegated: Part[] }>`
    select (select json_build_object('assigneeId', p.id::text, 'role', p.role, 'isDelegate', p.is_delegate)
        from assessment_people p where p.target_id = ${id}
          and (p.user_id = ${by.userId}::bigint or p.participant_id = ${by.participantId}::bigint)) as person,
      coalesce((select json_agg(json_build_object('assigneeId', d.assignee_id::text, 'sectionId', d.section_id,
          'questionCode', d.question_code, 'rowKey', d.row_key))
        from assessment_delegations d where d.target_id = ${id}), '[]') as delegated`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The scope of a target was not read.')
  const { person, delegated } = found
  const isPart = (one: Part, questionCode: string, rowKey: string) =>
    one.sectionId === sectionOf(questionCode) ||
    (one.questionCode === questionCode && (one.rowKey === null || one.rowKey === rowKey))
  const answersAll =
    person === null
      ? by.answersAll
      : person.role === 'owner' || (person.role === 'contributor' && !person.isDelegate)
  const mayAnswer = (questionCode: string, rowKey: string): boolean => {
    const parts = delegated.filter((one) => isPart(one, questionCode, rowKey))
    const isOwn = person !== null && parts.some((one) => one.assigneeId === person.assigneeId)
    return person?.isDelegate === true ? isOwn : answersAll && (isOwn || parts.length === 0)
  }
  return {
    assigneeId: person?.assigneeId ?? null,
    role: person?.role ?? null,
    isDelegate: person?.isDelegate ?? false,
    maySubmit: person === null ? by.answersAll : person.role === 'owner' || (answersAll && by.answersAll),
    mayAnswer,
    mayAnswerPart: (questionCode) =>
      mayAnswer(questionCode, '') ||
      delegated.some(
        (one) => person !== null && one.assigneeId === person.assigneeId && one.questionCode === questionCode,
      ),
  }
}
