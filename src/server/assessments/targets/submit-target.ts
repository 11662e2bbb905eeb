import { sql } from 'kysely'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden } from '#server/http/failure.ts'
import { sha256Of } from '#server/snapshots/snapshot-files.ts'
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
  await freeze(db, { target, by, kind: 'submitted', definition: compiled.definition, answers, evaluation })
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
  definition: Definition
  answers: readonly CurrentAnswer[]
  evaluation: Evaluation
}

/** Says how to read frozen answers. It changes when a field gets another meaning. */
const FORMAT = 'forecourt assessment answers 1'

/** Stores the answers as they are now with their hash, and with the names, questions and evidence that explain them. */
export async function freeze(
  db: Database,
  { target, by, kind, definition, answers, evaluation }: Frozen,
): Promise<void> {
  const { id, assessmentId, questionnaireId, number, organizationId, facilityId, periodStart, periodEnd } =
    target
  const isVisible = new Set(evaluation.visible)
  const content = JSON.stringify({
    format: FORMAT,
    target: { id, assessmentId, questionnaireId, number, organizationId, facilityId, periodStart, periodEnd },
    kind,
    by: by.name,
    at: clock.date().toISOString(),
    names: await readNames(db, target),
    questions: definition.sections.flatMap(({ title: section, questions }) =>
      questions
        .filter(({ code }) => isVisible.has(code))
        .map(({ code, type, title }) => ({ code, type, title, section })),
    ),
    visible: evaluation.visible,
    answers: answers.filter(({ isSetAside, value }) => !isSetAside && value !== null).map(publicAnswer),
    computed: evaluation.computed,
    totals: evaluation.totals,
    consents: evaluation.consents,
    evidence: await readFrozenEvidence(db, id),
  })
  await db
    .insertInto('assessmentSnapshots')
    .values({ organizationId, targetId: id, kind, content, sha256: sha256Of(content), madeBy: by.name })
    .execute()
}

async function readNames(
  db: Database,
  { name: target, assessmentName: assessment, organizationId, questionnaireId }: TargetContext,
): Promise<Record<string, string | null>> {
  const { rows } = await sql<{ organization: string | null; questionnaire: string | null }>`
    select (select name from organizations where id = ${organizationId}) as organization,
      (select name from questionnaires where id = ${questionnaireId}) as questionnaire`.execute(db)
  return { assessment, target, ...rows[0] }
}

async function readFrozenEvidence(db: Database, targetId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select e.id::text, e.name, e.type, e.size::float8 as size, e.sha256, array_agg(l.question_code order by l.question_code) as question_codes
    from assessment_evidence_links l join assessment_evidence e on e.customer_id = l.customer_id and e.id = l.evidence_id
    where l.target_id = ${targetId} and e.removed_at is null group by e.customer_id, e.id order by e.id`.execute(
    db,
  )
  return rows
}
