import { sql } from 'kysely'
import type { Comment, Delegation } from '#contract/assessments/targets/collaboration.ts'
import type { Flag, ReviewStep, TargetRecord } from '#contract/assessments/targets/targets.ts'
import { StoredScores } from '#contract/questions/scores/score-schema.ts'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { readEvidence } from './evidence-rows.ts'
import { readAnswers } from './answer-rows.ts'
import { type Answerer, readAnswerScope } from './answer-scope.ts'
import { type CurrentAnswer, evaluateStored, publicAnswer } from './apply-mutations.ts'
import { readPinnedVersion } from './pinned-version.ts'
import { answerStateOf, refusalOf } from './save-answers.ts'
import { readOfferedAnswers } from './offered-answers.ts'
import { readAssessment } from '../assessments/assessment-rows.ts'
import { findApprovalProblem } from './approval.ts'
import { readTargetContext } from './target-context.ts'
import { readTargets } from './target-rows.ts'

/**
 * A target with everything that its page and a participant's page show. Comments among staff are left out for participants.
 * @throws Failure 404
 */
export async function readTargetRecord(
  db: Database,
  id: string,
  by: Answerer,
  wanted?: string,
): Promise<TargetRecord> {
  const context = await readTargetContext(db, id)
  const version = await readPinnedVersion(db, context)
  const { compiled } = version
  const { definition } = compiled
  const language = wanted ?? definition.languages[0] ?? 'en'
  const answers = await readAnswers(db, id)
  const evaluation = evaluateStored({ compiled, language, now: clock.date(), zone: context.zone }, answers)
  const scope = await readAnswerScope(db, context, by, (code) => compiled.byCode.get(code)?.section.id)
  const refusal = refusalOf(context, scope)
  const [target] = await readTargets(db, sql`t.id = ${id}`)
  if (target === undefined) throw new Error('The target was removed while it was read.')
  const { rows: snapshots } = await sql<{ sha256: string }>`
    select sha256 from assessment_snapshots where target_id = ${id} order by id desc limit 1`.execute(db)
  const delegations = await readDelegations(db, id, {
    answers,
    sectionOf: sectionsOf(compiled),
    problems: evaluation,
  })
  return {
    ...target,
    assessment: await readAssessment(db, context.assessmentId),
    definition,
    answers: answers.map(publicAnswer),
    evaluation: answerStateOf(evaluation, answers),
    // Whether they are asked now or not: an answer on the device may ask them at any moment, also without a connection.
    open: [...compiled.byCode].flatMap(
      ([
        code,
        {
          question: { type },
        },
      ]) => (type !== 'note' && type !== 'computed' && refusal(code, '') === null ? [code] : []),
    ),
    openRows: delegations.flatMap(({ assigneeId, questionCode, rowKey }) =>
      assigneeId === scope.assigneeId &&
      questionCode !== null &&
      rowKey !== null &&
      refusal(questionCode, '') !== null &&
      refusal(questionCode, rowKey) === null
        ? [{ questionCode, rowKey }]
        : [],
    ),
    lockedRows: delegations.flatMap(({ questionCode, rowKey }) =>
      questionCode !== null &&
      rowKey !== null &&
      refusal(questionCode, '') === null &&
      refusal(questionCode, rowKey) !== null
        ? [{ questionCode, rowKey }]
        : [],
    ),
    maySubmit: scope.maySubmit,
    zone: context.zone,
    facilities: await readFacilities(db, context.organizationId),
    scoring: version.scoring,
    scores: target.score === null ? null : await readScores(db, id),
    comments: await readComments(db, id, by),
    flags: await readFlags(db, id),
    delegations,
    evidence: await readEvidence(db, context, by),
    reviews: await readReviews(db, id),
    offered: isAnswerable(context.state) ? await readOfferedAnswers(db, context, { compiled, by }) : [],
    approvalProblem: by.userId === null ? null : await findApprovalProblem(db, context, by),
    snapshotSha256: snapshots[0]?.sha256 ?? null,
  }
}

/** The score as it was calculated when answers were saved or submitted last. */
async function readScores(db: Database, targetId: string): Promise<StoredScores | null> {
  const { rows } = await sql<{ scores: unknown }>`
    select scores from assessment_progress where target_id = ${targetId} and scores is not null`.execute(db)
  return rows[0] === undefined ? null : StoredScores.parse(rows[0].scores)
}

async function readFacilities(db: Database, organizationId: string): Promise<TargetRecord['facilities']> {
  const { rows } = await sql<TargetRecord['facilities'][number]>`
    select id::text as value, name as label from facilities where organization_id = ${organizationId} order by name, id`.execute(
    db,
  )
  return rows
}

type Sections = (code: string) => string | undefined
const sectionsOf =
  (compiled: { byCode: ReadonlyMap<string, { section: { id: string } }> }): Sections =>
  (code) =>
    compiled.byCode.get(code)?.section.id

export async function readComments(db: Database, targetId: string, by: Answerer): Promise<Comment[]> {
  const { rows } = await sql<Comment>`
    select id::text, question_code, text, is_internal, written_by, ${instant(sql`written_at`)} as written_at,
      coalesce(user_id = ${by.userId}::bigint or participant_id = ${by.participantId}::bigint, false) as is_mine
    from assessment_comments where target_id = ${targetId} and (${by.userId !== null} or not is_internal) order by id`.execute(
    db,
  )
  return rows
}

async function readFlags(db: Database, targetId: string): Promise<Flag[]> {
  const { rows } = await sql<Flag>`
    select id::text, question_code, comment, flagged_by, ${instant(sql`flagged_at`)} as flagged_at,
      ${instant(sql`resolved_at`)} as resolved_at
    from assessment_flags where target_id = ${targetId} order by id`.execute(db)
  return rows
}

async function readReviews(db: Database, targetId: string): Promise<ReviewStep[]> {
  const { rows } = await sql<ReviewStep>`
    select id::text, round, decision, comment, decided_by, ${instant(sql`decided_at`)} as decided_at
    from assessment_reviews where target_id = ${targetId} order by id`.execute(db)
  return rows
}

type Answered = {
  answers: readonly CurrentAnswer[]
  sectionOf: Sections
  problems: Pick<Evaluation, 'visible' | 'required' | 'oneOf' | 'answers'>
}

/** The delegations of a target, and whether what they asked for is answered. */
export async function readDelegations(
  db: Database,
  targetId: string,
  { answers, sectionOf, problems }: Answered,
): Promise<Delegation[]> {
  const { rows } = await sql<Omit<Delegation, 'isAnswered'>>`
    select d.id::text, d.assignee_id::text, p.name as assignee_name, d.section_id, d.question_code, d.row_key, d.delegated_by,
      ${instant(sql`d.delegated_at`)} as delegated_at
    from assessment_delegations d join assessment_people p on p.customer_id = d.customer_id and p.target_id = d.target_id
      and p.id = d.assignee_id
    where d.target_id = ${targetId} order by d.id`.execute(db)
  const isGiven = (code: string) => Object.hasOwn(problems.answers, code)
  return rows.map((one) => {
    const { sectionId, questionCode, rowKey, delegatedAt } = one
    // Someone else may have answered before: what counts is what came after.
    const later = answers.filter(
      ({ value, answeredAt }) => value !== null && Date.parse(answeredAt) >= Date.parse(delegatedAt),
    )
    if (questionCode !== null) {
      const isOf = (answer: CurrentAnswer) =>
        answer.questionCode === questionCode && (rowKey === null || answer.rowKey === rowKey)
      return { ...one, isAnswered: later.some(isOf) && (rowKey !== null || isGiven(questionCode)) }
    }
    const needed = problems.required.filter((code) => sectionOf(code) === sectionId)
    const groups = problems.oneOf.filter(({ section }) => section === sectionId)
    const isLater = later.some(
      (answer) => sectionOf(answer.questionCode) === sectionId && isGiven(answer.questionCode),
    )
    const isComplete = needed.every(isGiven) && groups.every((group) => group.isAnswered)
    return { ...one, isAnswered: isLater && isComplete }
  })
}
