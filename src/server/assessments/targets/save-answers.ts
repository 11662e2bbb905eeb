import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Mutation, MutationResult, SavedAnswers } from '#contract/assessments/targets/answer-schema.ts'
import { type AnswerState, findingOf } from '#contract/questions/answer-state.ts'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Question } from '#contract/questions/definition.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type TargetContext, lockTargetContext } from './target-context.ts'
import { readOfferedAnswers } from './offered-answers.ts'
import { appendToLog, type NewLogEntry } from './answer-log.ts'
import { readAnswers, readReferences } from './answer-rows.ts'
import { type Answerer, type AnswerScope, readAnswerScope } from './answer-scope.ts'
import {
  type AppliedBatch,
  applyMutations,
  type BatchContext,
  type CurrentAnswer,
} from './apply-mutations.ts'
import { type PinnedVersion, readPinnedVersion } from './pinned-version.ts'
import { saveProgress } from './save-progress.ts'

/** Changes of one target by one person. `language`: of messages, a language tag. */
export type SaveRequest = Readonly<{
  targetId: string
  by: Answerer
  mutations: readonly Mutation[]
  language?: string
}>

/**
 * Saves changes of answers, by staff or participants. Each one is accepted or refused, and every value that was sent stays
 * in the database. Sending a change again returns its response. Batches of the same target run one after the other.
 * @throws Failure 404 if the target doesn't exist or is out of reach.
 */
export async function saveAnswers(
  db: Database,
  { targetId, by, mutations, language }: SaveRequest,
): Promise<SavedAnswers> {
  const target = await lockTargetContext(db, targetId)
  const version = await readPinnedVersion(db, target)
  const { compiled } = version
  const scope = await readAnswerScope(db, target, by, (code) => compiled.byCode.get(code)?.section.id)
  const answeredCodes = (type: Question['type']) =>
    mutations.flatMap(({ questionCode, rowKey }) =>
      compiled.byCode.get(questionCode)?.question.type === type && scope.mayAnswer(questionCode, rowKey)
        ? [questionCode]
        : [],
    )
  const applied = applyMutations(
    {
      compiled,
      answers: await readAnswers(db, targetId),
      known: await readKnown(db, targetId, mutations),
      references: await readReferences(db, target, {
        questions: answeredCodes('file'),
        delegate: scope.isDelegate ? by : null,
        facilities: answeredCodes('facility').length > 0,
      }),
      isOffered: await readOffers(db, { target, version, by, scope, mutations }),
      refusal: refusalOf(target, scope),
      language: language ?? compiled.definition.languages[0] ?? 'en',
      now: clock.date(),
      zone: target.zone,
      sender: by.name,
    },
    mutations,
  )
  const state = await storeBatch(db, { target, version, by, applied })
  const { evaluation, results } = applied
  const { progress } = evaluation
  const score = await saveProgress(db, { target, version, evaluation, answered: latest(applied.changed) })
  return {
    results: [...results],
    state,
    evaluation: answerStateOf(evaluation, applied.answers),
    questions: progress.questions,
    answered: progress.answered,
    required: progress.required,
    requiredAnswered: progress.requiredAnswered,
    score,
  }
}

type Offering = Pick<Batch, 'target' | 'version' | 'by'> & {
  scope: AnswerScope
  mutations: readonly Mutation[]
}

/** What the sender was offered by other targets. Only read if a change names one. */
async function readOffers(db: Database, offering: Offering): Promise<BatchContext['isOffered']> {
  const { target, version, by, scope, mutations } = offering
  if (mutations.every(({ sourceTargetId }) => sourceTargetId === undefined)) return () => false
  const offers = await readOfferedAnswers(db, target, { compiled: version.compiled, by })
  return ({ questionCode, targetId, value }) =>
    offers.some((one) => {
      if (one.questionCode !== questionCode || one.targetId !== targetId) return false
      // A delegate of some rows is offered nothing.
      if (!scope.mayAnswer(questionCode, '')) return false
      // A table is offered whole, and sent by row.
      const rows: readonly unknown[] = Array.isArray(one.value) ? one.value : []
      return [one.value, ...rows].some((offered) => isDeepStrictEqual(offered, value))
    })
}

/** Why answers can't be changed now, by question. */
export function refusalOf(
  target: Closable,
  scope: AnswerScope,
): (questionCode: string, rowKey: string) => string | null {
  return (questionCode, rowKey) => {
    const closed = closureOf(target, null)
    if (closed !== null) return closed
    if (!scope.mayAnswer(questionCode, rowKey)) return 'This question is assigned to someone else.'
    return closureOf(target, questionCode)
  }
}

type Closable = Pick<TargetContext, 'status' | 'state' | 'opensOn' | 'zone' | 'frozenQuestions'>

/** Why no one can change anything at a target now, or at this question of it; null if they can. */
export function closureOf(target: Closable, questionCode: string | null): string | null {
  const { status, state, opensOn, zone, frozenQuestions } = target
  if (status === 'draft') return 'This assessment is not open yet.'
  if (status === 'closed') return 'This assessment is closed.'
  if (opensOn > clock.today(zone)) return 'This assessment is not open yet.'
  if (!isAnswerable(state)) return "The answers were submitted and can't be changed."
  const isFrozen = questionCode !== null && frozenQuestions?.includes(questionCode) === true
  return isFrozen ? 'No change was requested for this question.' : null
}

/** The evaluation as callers see it. */
export function answerStateOf(evaluation: Evaluation, answers: readonly CurrentAnswer[]): AnswerState {
  const { visible, required, computed, totals, problems } = evaluation
  return {
    visible: [...visible],
    required: [...required],
    setAside: [...new Set(answers.flatMap((one) => (one.isSetAside ? [one.questionCode] : [])))],
    computed: { ...computed },
    totals: { ...totals },
    problems: problems.map(findingOf),
  }
}

async function readKnown(
  db: Database,
  targetId: string,
  mutations: readonly Mutation[],
): Promise<Map<string, MutationResult>> {
  const ids = mutations.map(({ mutationId }) => mutationId)
  const { rows } = await sql<{ mutationId: string; response: MutationResult }>`
    select mutation_id, response from assessment_mutations
    where target_id = ${targetId} and mutation_id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ mutationId, response }) => [mutationId, response]))
}

type Batch = {
  target: TargetContext
  version: PinnedVersion
  by: Answerer
  applied: AppliedBatch
}

/** Stores what a batch did, and returns the state of the target. */
async function storeBatch(db: Database, batch: Batch): Promise<TargetContext['state']> {
  const { target, version, by, applied } = batch
  const { processed, changed } = applied
  if (processed.length === 0) return target.state
  const given = new Set(
    processed.flatMap(({ mutation, result }) =>
      result.status === 'accepted' ? [`${mutation.questionCode}\n${mutation.rowKey}`] : [],
    ),
  )
  await writeAnswers(db, target, by, changed, version.compiled)
  await sql`
    insert into assessment_mutations (organization_id, target_id, mutation_id, question_code, row_key, base, value, status,
      response, user_id, participant_id, sent_by)
    select ${target.organizationId}::bigint, ${target.id}::bigint, id, question, row, base, value, status, response,
      ${by.userId}::bigint, ${by.participantId}::bigint, ${by.name}
    from jsonb_to_recordset(${JSON.stringify(
      processed.map(({ mutation, result, value }) => ({
        id: mutation.mutationId,
        question: mutation.questionCode,
        row: mutation.rowKey,
        base: mutation.base,
        value,
        status: result.status,
        response: result,
      })),
    )}::jsonb) as x(id text, question text, row text, base int, value jsonb, status text, response jsonb)`.execute(
    db,
  )
  await appendToLog(db, target, by, processed.map(logEntryOf))
  const isAnswered = changed.some(({ questionCode, rowKey }) => given.has(`${questionCode}\n${rowKey}`))
  if (!isAnswered || target.state === 'in_progress') return target.state
  await db
    .updateTable('assessmentTargets')
    .set({ state: 'in_progress' })
    .where('id', '=', target.id)
    .execute()
  await appendToLog(db, target, by, [{ kind: 'state', content: { state: 'in_progress' } }])
  return 'in_progress'
}

function logEntryOf({ mutation, result, value }: AppliedBatch['processed'][number]): NewLogEntry {
  const { mutationId, questionCode, rowKey, base } = mutation
  const { status, rev, problem } = result
  const content = { mutationId, questionCode, rowKey, base, value }
  if (status === 'accepted') return { kind: 'answer', content: { ...content, rev } }
  return { kind: 'refused', content: { ...content, reason: problem?.message ?? 'Changed by someone else.' } }
}

async function writeAnswers(
  db: Database,
  target: TargetContext,
  by: Answerer,
  changed: readonly CurrentAnswer[],
  compiled: CompiledDefinition,
): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.map(({ sourceTargetId, ...one }) => ({
    question: one.questionCode,
    row: one.rowKey,
    value: one.value,
    rev: one.rev,
    aside: one.isSetAside,
    concept: compiled.byCode.get(one.questionCode)?.question.conceptId ?? null,
    source: sourceTargetId === null ? null : { targetId: sourceTargetId },
    at: one.answeredAt,
  }))
  // An answer that is only set aside, or comes back, keeps who gave it and when.
  await sql`
    insert into assessment_answers as a (organization_id, target_id, question_code, row_key, value, rev, is_set_aside,
      concept_id, source, user_id, participant_id, answered_by, answered_at)
    select ${target.organizationId}::bigint, ${target.id}::bigint, question, row, nullif(value, 'null'), rev, aside, concept,
      nullif(source, 'null'), ${by.userId}::bigint, ${by.participantId}::bigint, ${by.name}, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as x(question text, row text, value jsonb, rev int, aside boolean, concept text, source jsonb, at timestamptz)
    on conflict (customer_id, target_id, question_code, row_key) do update set value = excluded.value, rev = excluded.rev,
      is_set_aside = excluded.is_set_aside, concept_id = excluded.concept_id, source = excluded.source,
      user_id = case when a.rev = excluded.rev then a.user_id else excluded.user_id end,
      participant_id = case when a.rev = excluded.rev then a.participant_id else excluded.participant_id end,
      answered_by = case when a.rev = excluded.rev then a.answered_by else excluded.answered_by end,
      answered_at = case when a.rev = excluded.rev then a.answered_at else excluded.answered_at end`.execute(
    db,
  )
}

function latest(changed: readonly CurrentAnswer[]): { by: string; at: string } | null {
  const last = changed.toSorted((one, other) => (one.answeredAt < other.answeredAt ? 1 : -1))[0]
  return last === undefined ? null : { by: last.answeredBy, at: last.answeredAt }
}
