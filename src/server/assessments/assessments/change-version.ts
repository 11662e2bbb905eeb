import { sql } from 'kysely'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { TARGET_STATES } from '#contract/assessments/targets/target-states.ts'
import {
  type assessmentVersions,
  type DroppedAnswer,
  MOST_DROPPED,
  type VersionPlan,
} from '#contract/assessments/assessments/version-change.ts'
import { compareVersions } from '#contract/questionnaires/questionnaires/compare-versions.ts'
import { dependsOn } from '#contract/questions/obligations.ts'
import { showValue } from '#contract/questions/show-answer.ts'
import { textIn } from '#contract/questions/texts.ts'
import { labelOf } from '#contract/record.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { appendToLog } from '../targets/answer-log.ts'
import { readAnswers } from '../targets/answer-rows.ts'
import { type Answerer, answererOf } from '../targets/answer-scope.ts'
import { type CurrentAnswer, evaluateStored, withSetAside } from '../targets/apply-mutations.ts'
import { type DroppedValue, fitAnswers } from '../targets/fit-answer.ts'
import { type PinnedVersion, readPinnedVersion } from '../targets/pinned-version.ts'
import { saveProgress } from '../targets/save-progress.ts'
import { lockOwnAssessment, readAssessment } from './assessment-rows.ts'
import { readTargetContext, type TargetContext } from '../targets/target-context.ts'

/** The most targets that a sentence names. */
const MOST_NAMED = 3

/** Moving an open assessment to another version of its questionnaire. */
export const assessmentVersionHandlers: Handlers<typeof assessmentVersions> = {
  async plan({ db, input: { id, number } }) {
    const { plan } = await planChange(db, await readAssessment(db, id), number)
    return plan
  },

  async change({ db, actor, input: { id, number, dropped } }) {
    // Targets first, as everyone who saves answers does.
    await sql`select from assessment_targets where assessment_id = ${id} order by id for update`.execute(db)
    const assessment = await lockOwnAssessment(db, id)
    const { plan, targets } = await planChange(db, assessment, number)
    const [problem] = plan.problems
    if (problem !== undefined) throw conflict(problem)
    if (dropped !== undefined && dropped !== plan.droppedCount)
      throw conflict('Answers were changed in the meantime. Review what will be set aside again.')
    await db.updateTable('assessments').set({ questionnaireNumber: number }).where('id', '=', id).execute()
    for (const target of targets) {
      // Each target has its own answers; there are at most 500.
      // oxlint-disable-next-line no-await-in-loop
      await moveTarget(db, target, answererOf(actor))
    }
    return readAssessment(db, id)
  },
}

/** A target with its answers before and after. */
type MovedTarget = Readonly<{
  target: TargetContext
  to: PinnedVersion
  number: number
  answers: readonly CurrentAnswer[]
  changed: readonly CurrentAnswer[]
  dropped: readonly DroppedValue[]
}>

type Plan = { plan: VersionPlan; targets: MovedTarget[] }

/** @throws Failure 400 for an unknown version */
async function planChange(db: Database, assessment: Assessment, number: number): Promise<Plan> {
  const { id, questionnaireId, questionnaireNumber: from } = assessment
  const { rows } = await sql<{ id: string }>`
    select t.id::text from assessment_targets t where t.assessment_id = ${id} order by t.id`.execute(db)
  const { customerId, versions } = await readVersions(db, { questionnaireId, from, number })
  const problems =
    number === from
      ? [`It already uses version ${number}.`]
      : await findProblems(db, assessment, versions.after)
  const targets: MovedTarget[] = []
  const dropped: DroppedAnswer[] = []
  let [kept, restored] = [0, 0]
  for (const row of rows) {
    // oxlint-disable-next-line no-await-in-loop
    const target = await readTargetContext(db, row.id)
    const { edition, size } = target
    const read = (version: number) =>
      readPinnedVersion(db, { customerId, questionnaireId, number: version, edition, size })
    // oxlint-disable-next-line no-await-in-loop
    const [before, to] = [await read(from), await read(number)]
    // oxlint-disable-next-line no-await-in-loop
    const answers = await readAnswers(db, row.id)
    // oxlint-disable-next-line no-await-in-loop
    const former = await readDropped(db, row.id)
    const questionOf = (code: string) => to.compiled.byCode.get(code)?.question
    const fitted = fitAnswers(answers, { former, questionOf })
    targets.push({ target, to, number, ...fitted })
    const lost = describeDropped({ target, before, to }, answers, fitted)
    dropped.push(...lost.dropped)
    kept += lost.kept
    restored += lost.restored
  }
  const changes = compareVersions(versions.before, versions.after).map(({ message, effect }) => ({
    message,
    effect,
  }))
  return {
    targets,
    plan: {
      from,
      to: number,
      changes,
      targets: targets.length,
      kept,
      restored,
      dropped: dropped.slice(0, MOST_DROPPED),
      droppedCount: dropped.length,
      problems,
    },
  }
}

type Scored = { definition: PinnedVersion['compiled']['definition']; scoring: PinnedVersion['scoring'] }

/** @throws Failure 400 for an unknown version */
async function readVersions(
  db: Database,
  { questionnaireId, from, number }: { questionnaireId: string; from: number; number: number },
): Promise<{ customerId: string; versions: { before: Scored; after: Scored } }> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id::text from questionnaire_versions where questionnaire_id = ${questionnaireId} and number = ${number}`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined)
    throw refused('Some fields are invalid.', { number: 'Choose a published version of the questionnaire.' })
  const { customerId } = found
  const read = async (version: number): Promise<Scored> => {
    const { compiled, scoring } = await readPinnedVersion(db, {
      customerId,
      questionnaireId,
      number: version,
    })
    return { definition: compiled.definition, scoring }
  }
  return { customerId, versions: { before: await read(from), after: await read(number) } }
}

/** Why the assessment can't move, as sentences. */
async function findProblems(db: Database, assessment: Assessment, after: Scored): Promise<string[]> {
  const { id, status, questionnaireNumber, edition, size } = assessment
  if (status === 'draft') return ['A draft has no answers yet. Choose another version in its details.']
  if (status === 'closed') return ['Reopen the assessment to move it to another version.']
  const { rows } = await sql<{ name: string; state: TargetContext['state']; total: number }>`
    select coalesce(f.name, o.name) as name, t.state, count(*) over ()::int as total from assessment_targets t
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    where t.assessment_id = ${id} and t.state not in ('not_started', 'in_progress', 'changes_requested')
    order by lower(coalesce(f.name, o.name)), t.id limit ${MOST_NAMED}`.execute(db)
  const { rows: counts } = await sql<{ here: number; all: number }>`
    select count(*)::int as here, assessment_target_count(${id}::bigint) as all from assessment_targets
    where assessment_id = ${id}`.execute(db)
  const hidden = (counts[0]?.all ?? 0) - (counts[0]?.here ?? 0)
  const needs = dependsOn(after.definition)
  return [
    ...submittedProblem(rows),
    ...(hidden > 0
      ? ['It has targets of organizations that you can’t see. Someone who can see all of them must move it.']
      : []),
    ...(needs.edition && !after.definition.editions?.some(({ code }) => code === edition)
      ? [`Its edition doesn’t exist in that version. Duplicate version ${questionnaireNumber} to choose one.`]
      : []),
    ...(needs.size && size === null
      ? [
          'That version depends on the company size, which this assessment doesn’t have. Duplicate it instead.',
        ]
      : []),
  ]
}

/** Submitted answers were complete under the questions that were asked: they would have to be looked at again. */
function submittedProblem(
  rows: readonly { name: string; state: TargetContext['state']; total: number }[],
): string[] {
  const [first] = rows
  if (first === undefined) return []
  const named = rows.map(({ name, state }) => `${name} (${labelOf(TARGET_STATES, state).toLowerCase()})`)
  const more = first.total > rows.length ? ` and ${first.total - rows.length} more` : ''
  return [
    `Submitted answers were complete for the current version. Reopen these targets first: ${named.join(', ')}${more}.`,
  ]
}

/** What the latest change of the version dropped at a target. */
async function readDropped(db: Database, targetId: string): Promise<DroppedValue[]> {
  const { rows } = await sql<{ dropped: DroppedValue[] }>`
    select dropped from assessment_version_changes where target_id = ${targetId} order by id desc limit 1`.execute(
    db,
  )
  return rows[0]?.dropped ?? []
}

type Between = { target: TargetContext; before: PinnedVersion; to: PinnedVersion }
type Fitted = Pick<MovedTarget, 'answers' | 'changed' | 'dropped'>

/** The answers of a target that the other version drops, in words, and how many stay. */
function describeDropped(
  { target, before, to }: Between,
  answers: readonly CurrentAnswer[],
  fitted: Fitted,
): { dropped: DroppedAnswer[]; kept: number; restored: number } {
  const { definition, byCode } = before.compiled
  const [language = 'en'] = definition.languages
  const keyOf = (one: { questionCode: string; rowKey: string }) => `${one.questionCode}\n${one.rowKey}`
  const next = new Map(fitted.answers.map((one) => [keyOf(one), one]))
  const lost = new Set(fitted.dropped.map(keyOf))
  let [kept, restored] = [0, 0]
  const dropped = answers.flatMap((answer): DroppedAnswer[] => {
    const after = next.get(keyOf(answer))?.value ?? null
    if (answer.value === null || answer.value === undefined) {
      if (after !== null) restored += 1
      return []
    }
    const { questionCode, rowKey } = answer
    const isRemoved = !to.compiled.byCode.has(questionCode)
    if (!isRemoved && !lost.has(keyOf(answer))) {
      kept += 1
      return []
    }
    const question = byCode.get(questionCode)?.question
    // It was set aside before, by an earlier change of the version.
    if (question === undefined) return []
    return [
      {
        targetId: target.id,
        targetName: target.name,
        questionCode,
        title: textIn(question.title, language, definition.languages) || questionCode,
        answer: showValue(
          question,
          { row: rowKey, value: answer.value },
          { tag: language, all: definition.languages },
        ),
        reason: dropReason(isRemoved, after),
      },
    ]
  })
  return { dropped, kept, restored }
}

function dropReason(isRemoved: boolean, after: unknown): DroppedAnswer['reason'] {
  if (isRemoved) return 'removed'
  return after === null ? 'changed' : 'partly'
}

/** Stores what the other version does to a target. */
async function moveTarget(db: Database, moved: MovedTarget, by: Answerer): Promise<void> {
  const { target, to, number, changed, dropped } = moved
  const [language = 'en'] = to.compiled.definition.languages
  const evaluation = evaluateStored(
    { compiled: to.compiled, language, now: clock.date(), zone: target.zone },
    moved.answers,
  )
  const answers = withSetAside(to.compiled, evaluation, moved.answers)
  await updateAnswers(db, moved, answers)
  await sql`
    insert into assessment_version_changes (organization_id, target_id, from_number, to_number, dropped, changed_by)
    values (${target.organizationId}, ${target.id}, ${target.number}, ${number}, ${JSON.stringify(dropped)}, ${by.name})`.execute(
    db,
  )
  const reason = `Moved to version ${number} of the questionnaire.`
  await appendToLog(db, target, by, [
    { kind: 'state', content: { state: target.state, reason } },
    ...changed.map(({ questionCode, rowKey, value, rev }) => ({
      kind: 'state' as const,
      content: { questionCode, rowKey, value, rev, reason },
    })),
  ])
  await saveProgress(db, { target, version: to, evaluation, answered: null })
}

async function updateAnswers(
  db: Database,
  { target, to }: Pick<MovedTarget, 'target' | 'to'>,
  answers: readonly CurrentAnswer[],
): Promise<void> {
  const rows = answers.map(({ questionCode, rowKey, value, rev, isSetAside }) => ({
    question: questionCode,
    row: rowKey,
    value,
    rev,
    aside: isSetAside,
    concept: to.compiled.byCode.get(questionCode)?.question.conceptId ?? null,
  }))
  await sql`
    update assessment_answers a set value = nullif(x.value, 'null'), rev = x.rev, is_set_aside = x.aside, concept_id = x.concept
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as x(question text, row text, value jsonb, rev int, aside boolean, concept text)
    where a.target_id = ${target.id} and a.question_code = x.question and a.row_key = x.row`.execute(db)
}
