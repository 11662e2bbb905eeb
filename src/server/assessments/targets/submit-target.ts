import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden } from '#server/http/failure.ts'
import { appendToLog } from './answer-log.ts'
import { readAnswers } from './answer-rows.ts'
import { type Answerer, readAnswerScope } from './answer-scope.ts'
import { type CurrentAnswer, evaluateStored, publicAnswer } from './apply-mutations.ts'
import { readPinnedVersion } from './pinned-version.ts'
import { saveProgress } from './save-progress.ts'
import { lockTargetContext, type TargetContext } from './target-context.ts'

/** The most open questions that a refused submission names in its sentence. */
const MOST_NAMED = 3

/**
 * Submits a target and freezes its answers. Without a review this is final.
 * @throws Failure 403 for someone who may not submit, 409 if it was submitted already or questions are open: `fields` has a
 * sentence for each of them
 */
export async function submitTarget(
  db: Database,
  { targetId, by, language }: { targetId: string; by: Answerer; language?: string },
): Promise<void> {
  const target = await lockTargetContext(db, targetId)
  const version = await readPinnedVersion(db, target)
  const { compiled } = version
  const { maySubmit } = await readAnswerScope(db, target, by, (code) => compiled.byCode.get(code)?.section.id)
  if (!maySubmit) throw forbidden('Only the owner of this target can submit it.')
  if (target.status !== 'open') throw conflict('This assessment is not open.')
  if (target.opensOn > clock.today(target.zone)) throw conflict('This assessment is not open yet.')
  if (!isAnswerable(target.state)) throw conflict('This target was already submitted.')
  const answers = await readAnswers(db, targetId)
  const evaluation = evaluateStored(
    {
      compiled,
      language: language ?? compiled.definition.languages[0] ?? 'en',
      now: clock.date(),
      zone: target.zone,
    },
    answers,
  )
  refuseOpenQuestions(evaluation)
  await saveProgress(db, { target, version, evaluation, answered: null })
  await freeze(db, { target, by, kind: 'submitted', answers, evaluation })
  await sql`
    update assessment_targets set state = 'submitted', submitted_at = app_now(), submitted_by = ${by.name},
      frozen_questions = null
    where id = ${targetId}`.execute(db)
  await sql`
    update assessment_flags set resolved_at = app_now() where target_id = ${targetId} and resolved_at is null`.execute(
    db,
  )
  await appendToLog(db, target, by, [{ kind: 'state', content: { state: 'submitted' } }])
}

function refuseOpenQuestions({ problems }: Evaluation): void {
  if (problems.length === 0) return
  const fields = Object.fromEntries(problems.map(({ question, message }) => [question, message]))
  const codes = Object.keys(fields)
  const named = codes.slice(0, MOST_NAMED).join(', ')
  const more = codes.length > MOST_NAMED ? ` and ${codes.length - MOST_NAMED} more` : ''
  throw conflict(
    `${codes.length === 1 ? '1 question is' : `${codes.length} questions are`} still open: ${named}${more}.`,
    fields,
  )
}

type Frozen = {
  target: TargetContext
  by: Pick<Answerer, 'name'>
  kind: 'submitted' | 'approved'
  answers: readonly CurrentAnswer[]
  evaluation: Evaluation
}

/** Stores the answers as they are now with their hash. */
export async function freeze(db: Database, { target, by, kind, answers, evaluation }: Frozen): Promise<void> {
  const { id, assessmentId, questionnaireId, number, organizationId, facilityId, periodStart, periodEnd } =
    target
  const content = JSON.stringify({
    target: { id, assessmentId, questionnaireId, number, organizationId, facilityId, periodStart, periodEnd },
    kind,
    by: by.name,
    at: clock.date().toISOString(),
    visible: evaluation.visible,
    answers: answers.filter(({ isSetAside, value }) => !isSetAside && value !== null).map(publicAnswer),
    computed: evaluation.computed,
    totals: evaluation.totals,
    consents: evaluation.consents,
  })
  await db
    .insertInto('assessmentSnapshots')
    .values({
      organizationId,
      targetId: id,
      kind,
      content,
      sha256: createHash('sha256').update(content).digest('hex'),
      madeBy: by.name,
    })
    .execute()
}
