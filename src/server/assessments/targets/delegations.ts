import type { Delegation } from '#contract/assessments/targets/collaboration.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden, notFound, refused } from '#server/http/failure.ts'
import { readDelegations } from './read-target-record.ts'
import { lockTargetContext, type TargetContext } from './target-context.ts'
import { addPeople, readPeople } from './target-people.ts'
import { readAnswers } from './answer-rows.ts'
import { type Answerer, readAnswerScope } from './answer-scope.ts'
import { evaluateStored } from './apply-mutations.ts'
import { readPinnedVersion } from './pinned-version.ts'

const INVALID = 'Some fields are invalid.'

export type NewDelegation = Readonly<{
  by: Answerer
  targetId: string
  assigneeId?: string | undefined
  userId?: string | undefined
  participantId?: string | undefined
  sectionId?: string | undefined
  questionCode?: string | undefined
  rowKey?: string | undefined
}>

/**
 * Asks a person to answer a section, a question or a row of a table. Someone who isn't among the people yet is added and answers
 * only what is delegated. What was delegated to someone else before goes to the new person.
 * @throws Failure 400 for an unknown person or question, 403 for someone who may not delegate it
 */
export async function addDelegation(db: Database, request: NewDelegation): Promise<Delegation> {
  const { by, targetId, sectionId, questionCode, rowKey } = request
  const target = await lockTargetContext(db, targetId)
  const { compiled } = await readPinnedVersion(db, target)
  const question = questionCode === undefined ? undefined : compiled.byCode.get(questionCode)?.question
  if (questionCode !== undefined && question === undefined)
    throw refused(INVALID, { questionCode: 'Choose a question of this questionnaire.' })
  if (sectionId !== undefined && compiled.definition.sections.every(({ id }) => id !== sectionId))
    throw refused(INVALID, { sectionId: 'Choose a section of this questionnaire.' })
  if (rowKey !== undefined && question?.type !== 'table')
    throw refused(INVALID, { rowKey: 'Only a table has rows.' })
  await requireDelegator(db, target, by)
  const assigneeId = await findPerson(db, target, request)
  await db
    .insertInto('assessmentDelegations')
    .values({
      organizationId: target.organizationId,
      targetId,
      assigneeId,
      sectionId: sectionId ?? null,
      questionCode: questionCode ?? null,
      rowKey: rowKey ?? null,
      delegatedBy: by.name,
    })
    .onConflict((on) =>
      on.columns(['customerId', 'targetId', 'sectionId', 'questionCode', 'rowKey']).doUpdateSet({
        assigneeId,
        delegatedBy: by.name,
        delegatedAt: clock.date().toISOString(),
      }),
    )
    .execute()
  const found = (await readTargetDelegations(db, target)).find(
    (one) =>
      one.sectionId === (sectionId ?? null) &&
      one.questionCode === (questionCode ?? null) &&
      one.rowKey === (rowKey ?? null),
  )
  if (found === undefined) throw conflict('The delegation was not saved. Try again.')
  return found
}

/** Ends a delegation. @throws Failure 403 for someone who may not delegate, 404 */
export async function removeDelegation(
  db: Database,
  { by, id }: { by: Answerer; id: string },
): Promise<void> {
  const found = await db
    .selectFrom('assessmentDelegations')
    .select(['targetId', 'assigneeId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Delegation')
  await requireDelegator(db, await lockTargetContext(db, found.targetId), by)
  await db.deleteFrom('assessmentDelegations').where('id', '=', id).execute()
}

/** The delegations of a target with what is answered. */
export async function readTargetDelegations(db: Database, target: TargetContext): Promise<Delegation[]> {
  const { compiled } = await readPinnedVersion(db, target)
  const answers = await readAnswers(db, target.id)
  const [language = 'en'] = compiled.definition.languages
  const evaluation = evaluateStored({ compiled, language, now: clock.date(), zone: target.zone }, answers)
  return readDelegations(db, target.id, {
    answers,
    sectionOf: (code) => compiled.byCode.get(code)?.section.id,
    problems: evaluation,
  })
}

async function requireDelegator(db: Database, target: TargetContext, by: Answerer): Promise<void> {
  const scope = await readAnswerScope(db, target, by, () => undefined)
  if (!scope.maySubmit) throw forbidden('Only the owner of this target can delegate its questions.')
}

async function findPerson(db: Database, target: TargetContext, request: NewDelegation): Promise<string> {
  const { assigneeId, userId, participantId } = request
  const isWanted = (one: { id: string; userId: string | null; participantId: string | null }) =>
    one.id === assigneeId ||
    (userId !== undefined && one.userId === userId) ||
    (participantId !== undefined && one.participantId === participantId)
  const known = (await readPeople(db, target.id)).find(isWanted)
  if (known?.role === 'reader' || known?.role === 'reviewer')
    throw refused(INVALID, {
      assigneeId: `${known.name} is a ${known.role} of this target and doesn't answer.`,
    })
  if (known !== undefined) return known.id
  if (assigneeId !== undefined)
    throw refused(INVALID, { assigneeId: 'Choose one of the people of this target.' })
  await addPeople(db, [target], [{ role: 'contributor', isDelegate: true, userId, participantId }])
  const added = (await readPeople(db, target.id)).find(isWanted)
  if (added === undefined) throw refused(INVALID, { assigneeId: 'Choose a person who still exists.' })
  return added.id
}
