import { sql } from 'kysely'
import { countSections } from '#contract/assessments/targets/section-progress.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import { scoreAnswers } from '#contract/questions/scores/score-answers.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { TargetContext } from './target-context.ts'
import type { PinnedVersion } from './pinned-version.ts'

type Evaluated = {
  target: Pick<TargetContext, 'id' | 'organizationId'>
  version: PinnedVersion
  evaluation: Evaluation
  /** Who answered last; null: no answer changed. */
  answered: { by: string; at: string } | null
}

/**
 * Stores what is answered by section, and the score, for the board and the results. Returns the score from 0 to 100; null
 * while required questions are open.
 */
export async function saveProgress(
  db: Database,
  { target, version, evaluation, answered }: Evaluated,
): Promise<number | null> {
  const sections = countSections(version.compiled, evaluation)
  const { progress } = evaluation
  const scores =
    version.scoring.questions.length === 0
      ? null
      : scoreAnswers(version.compiled, evaluation, version.scoring)
  // Before all required questions are answered, a score would only measure how far they are.
  const isComplete = progress.requiredAnswered === progress.required && progress.answered > 0
  const total = isComplete ? (scores?.total?.score ?? null) : null
  const score = total === null ? null : Number(total)
  await sql`
    insert into assessment_progress as p (organization_id, target_id, sections, questions, answered, required,
      required_answered, score, scores, answered_at, answered_by)
    values (${target.organizationId}, ${target.id}, ${JSON.stringify(sections)}, ${progress.questions}, ${progress.answered},
      ${progress.required}, ${progress.requiredAnswered}, ${score}, ${scores === null ? null : JSON.stringify(scores)},
      ${answered?.at ?? null}, ${answered?.by ?? null})
    on conflict (customer_id, target_id) do update set sections = excluded.sections, questions = excluded.questions,
      answered = excluded.answered, required = excluded.required, required_answered = excluded.required_answered,
      score = excluded.score, scores = excluded.scores, answered_at = coalesce(excluded.answered_at, p.answered_at),
      answered_by = coalesce(excluded.answered_by, p.answered_by)`.execute(db)
  return score
}
