import { sql } from 'kysely'
import { wasApprovedByTwo } from '#contract/assessments/targets/target-states.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import { appendToLog } from './answer-log.ts'
import { readAnswers } from './answer-rows.ts'
import type { Answerer } from './answer-scope.ts'
import { evaluateStored } from './apply-mutations.ts'
import { readPinnedVersion } from './pinned-version.ts'
import { APPROVALS, countApprovals, findApprovalProblem, readRound } from './approval.ts'
import { freeze } from './submit-target.ts'
import { lockTargetContext, type TargetContext } from './target-context.ts'

type By = { targetId: string; by: Answerer }

/** Starts the review of a submitted target. @throws Failure 409 if it isn't submitted or has no review */
export async function startReview(db: Database, { targetId, by }: By): Promise<void> {
  const target = await lockTargetContext(db, targetId)
  requireReview(target)
  if (target.state !== 'submitted') throw conflict('The review of this target has already started.')
  await setState(db, targetId, 'in_review')
  await addStep(db, target, by, { decision: 'started', comment: null })
}

/**
 * Returns a target to its people. Every question that is asked now and isn't flagged is frozen until it is submitted again.
 * @throws Failure 400 for a question that isn't asked, 409 if it isn't submitted
 */
export async function requestChanges(
  db: Database,
  { targetId, by, flags }: By & { flags: readonly { questionCode: string; comment: string }[] },
): Promise<void> {
  const target = await lockTargetContext(db, targetId)
  requireReview(target)
  const { visible, compiled } = await evaluateNow(db, target)
  const asked = new Set(
    visible.filter((code) => {
      const type = compiled.byCode.get(code)?.question.type
      return type !== 'note' && type !== 'computed'
    }),
  )
  const unknown = flags.find(({ questionCode }) => !asked.has(questionCode))
  if (unknown !== undefined)
    throw refused('Some fields are invalid.', {
      flags: `${unknown.questionCode} is not asked at this target.`,
    })
  const flagged = new Set(flags.map(({ questionCode }) => questionCode))
  await sql`
    insert into assessment_flags (organization_id, target_id, question_code, comment, flagged_by)
    select ${target.organizationId}::bigint, ${targetId}::bigint, "questionCode", comment, ${by.name}
    from jsonb_to_recordset(${JSON.stringify(flags)}::jsonb) as x("questionCode" text, comment text)`.execute(
    db,
  )
  await sql`
    update assessment_targets set state = 'changes_requested',
      frozen_questions = ${visible.filter((code) => !flagged.has(code))}::text[]
    where id = ${targetId}`.execute(db)
  await addStep(db, target, by, { decision: 'changes_requested', comment: null })
  await appendToLog(db, target, by, [
    { kind: 'state', content: { state: 'changes_requested', questions: [...flagged] } },
  ])
}

/**
 * Approves a target; with two reviewers, the second one completes it. Then its answers are frozen.
 * @throws Failure 403 for someone who answered, 409 if it isn't submitted or they approved it already
 */
export async function approveTarget(
  db: Database,
  { targetId, by, comment }: By & { comment: string | null },
): Promise<void> {
  const target = await lockTargetContext(db, targetId)
  requireReview(target)
  const problem = await findApprovalProblem(db, target, by)
  if (problem !== null) throw forbidden(problem)
  await addStep(db, target, by, { decision: 'approved', comment })
  if ((await countApprovals(db, targetId)) < APPROVALS[target.review]) {
    await setState(db, targetId, 'in_review')
    return
  }
  const { compiled, answers, evaluation } = await evaluateNow(db, target)
  const { definition } = compiled
  await freeze(db, { target, by, kind: 'approved', definition, answers, evaluation })
  await sql`update assessment_targets set state = 'approved', approved_at = app_now() where id = ${targetId}`.execute(
    db,
  )
  await appendToLog(db, target, by, [{ kind: 'state', content: { state: 'approved' } }])
}

/**
 * Returns a target to its people with all questions open. `isConfirmed`: a second person agreed (`target-reopenings.ts`).
 * @throws Failure 409 if it isn't submitted or approved, or if two people approved it and no second one agreed
 */
export async function reopenTarget(
  db: Database,
  { targetId, by, reason, isConfirmed = false }: By & { reason: string; isConfirmed?: boolean },
): Promise<void> {
  const target = await lockTargetContext(db, targetId)
  if (target.status !== 'open') throw conflict('Reopen the assessment first.')
  if (!['submitted', 'in_review', 'approved'].includes(target.state))
    throw conflict('Only a submitted or approved target can be reopened.')
  const { state } = target
  if (!isConfirmed && wasApprovedByTwo({ state, approvals: await countApprovals(db, targetId) }))
    throw conflict(
      `${target.name} was approved by two people, so a second person must confirm this. Request it with the reason.`,
    )
  await sql`
    update assessment_targets set state = 'in_progress', submitted_at = null, submitted_by = null, approved_at = null,
      frozen_questions = null
    where id = ${targetId}`.execute(db)
  await addStep(db, target, by, { decision: 'reopened', comment: reason })
  await appendToLog(db, target, by, [{ kind: 'state', content: { state: 'in_progress', reason } }])
}

function requireReview({ review, status, state }: TargetContext): void {
  if (review === 'none') throw conflict('This assessment has no review.')
  if (status !== 'open') throw conflict('This assessment is not open.')
  if (state === 'approved') throw conflict('This target was already approved.')
  if (state !== 'submitted' && state !== 'in_review') throw conflict('The answers are not submitted.')
}

async function evaluateNow(db: Database, target: TargetContext) {
  const { compiled } = await readPinnedVersion(db, target)
  const answers = await readAnswers(db, target.id)
  const [language = 'en'] = compiled.definition.languages
  const evaluation = evaluateStored({ compiled, language, now: clock.date(), zone: target.zone }, answers)
  return { compiled, answers, evaluation, visible: evaluation.visible }
}

async function setState(db: Database, targetId: string, state: TargetContext['state']): Promise<void> {
  await db.updateTable('assessmentTargets').set({ state }).where('id', '=', targetId).execute()
}

type Step = { decision: 'started' | 'approved' | 'changes_requested' | 'reopened'; comment: string | null }

async function addStep(db: Database, target: TargetContext, by: Answerer, step: Step): Promise<void> {
  await db
    .insertInto('assessmentReviews')
    .values({
      organizationId: target.organizationId,
      targetId: target.id,
      round: Math.max(1, await readRound(db, target.id)),
      userId: by.userId,
      decidedBy: by.name,
      ...step,
    })
    .execute()
}
