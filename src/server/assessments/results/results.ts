import { sql } from 'kysely'
import type { assessmentResults, Benchmark } from '#contract/assessments/results/results.ts'
import { StoredScores } from '#contract/questions/scores/score-schema.ts'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readAssessment } from '../assessments/assessment-rows.ts'
import { type PinnedVersion, readPinnedVersion } from '../targets/pinned-version.ts'
import { compareYears, findGaps, gapsAt, type ScoredTarget, summarizeScores } from './summarize.ts'

/** Scores, gaps and comparisons of an assessment, of the targets within reach. */
export const assessmentResultHandlers: Handlers<typeof assessmentResults> = {
  async get({ db, actor, input: { id } }) {
    const assessment = await readAssessment(db, id)
    const version = await versionOf(db, actor.customerId, assessment)
    const asked = { definition: version.compiled.definition, scoring: version.scoring }
    const targets = await readScoredTargets(db, id)
    const before = await readPrevious(db, assessment)
    const summary = summarizeScores(asked, targets, before?.targets ?? [])
    const benchmarks = await readBenchmarks(db, id)
    return {
      ...summary,
      previous:
        before === null
          ? null
          : {
              assessmentId: before.id,
              name: before.name,
              isSameVersion: before.isSameVersion,
              ...compareYears(summary.targets),
            },
      benchmark: summary.hasTotal ? (benchmarks.get(null) ?? null) : null,
      sectionBenchmarks: summary.sections.map((section) => benchmarks.get(section.id) ?? null),
      gaps: findGaps(asked, targets, await countOpenActions(db, id)),
    }
  },

  async gap({ db, input: { id, question } }) {
    await readAssessment(db, id)
    return gapsAt(question, await readScoredTargets(db, id), await countOpenActions(db, id))
  },
}

function versionOf(db: Database, customerId: string, assessment: Assessment): Promise<PinnedVersion> {
  const { questionnaireId, questionnaireNumber: number } = assessment
  return readPinnedVersion(db, { customerId, questionnaireId, number })
}

/** The targets of an assessment within reach, by name. A score with open required questions isn't one yet. */
export async function readScoredTargets(db: Database, assessmentId: string): Promise<ScoredTarget[]> {
  const { rows } = await sql<Omit<ScoredTarget, 'scores'> & { scores: unknown }>`
    select t.id::text as target_id, coalesce(f.name, o.name) as name, o.name as organization_name,
      t.organization_id::text, t.state,
      t.organization_id || '/' || coalesce(t.facility_id::text, '') as place,
      case when g.required_answered = g.required and g.answered > 0 then g.scores end as scores
    from assessment_targets t
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    left join assessment_progress g on g.customer_id = t.customer_id and g.target_id = t.id
    where t.assessment_id = ${assessmentId} order by lower(coalesce(f.name, o.name)), t.id`.execute(db)
  return rows.map((row) => ({ ...row, scores: row.scores === null ? null : StoredScores.parse(row.scores) }))
}

/** Last year's assessment with its targets; null if there is none within reach. */
async function readPrevious(db: Database, { previousId, questionnaireId, questionnaireNumber }: Assessment) {
  if (previousId === null) return null
  const { rows } = await sql<{ name: string; isSameVersion: boolean }>`
    select name, questionnaire_id = ${questionnaireId}::bigint and questionnaire_number = ${questionnaireNumber}
      as is_same_version
    from assessments where id = ${previousId}`.execute(db)
  const [row] = rows
  return row === undefined
    ? null
    : { ...row, id: previousId, targets: await readScoredTargets(db, previousId) }
}

/** By section; null is the total. The caller has read the assessment. */
async function readBenchmarks(db: Database, id: string): Promise<Map<string | null, Benchmark>> {
  const { rows } = await sql<Benchmark & { section: string | null }>`
    select section, targets, lower_quartile::text, median::text, upper_quartile::text from assessment_benchmark(${id}::bigint)`.execute(
    db,
  )
  return new Map(rows.map(({ section, ...benchmark }) => [section, benchmark]))
}

/** Open actions of an assessment by question, and by question and target. */
async function countOpenActions(
  db: Database,
  assessmentId: string,
): Promise<(questionCode: string, targetId?: string) => number> {
  const { rows } = await sql<{ questionCode: string; targetId: string; actions: number }>`
    select n.question_code, n.target_id::text as target_id, count(*)::int as actions from assessment_actions n
    join assessment_targets t on t.customer_id = n.customer_id and t.id = n.target_id
    where t.assessment_id = ${assessmentId} and n.status = 'open' and n.question_code is not null
    group by n.question_code, n.target_id`.execute(db)
  return (questionCode, targetId) =>
    rows
      .filter(
        (one) => one.questionCode === questionCode && (targetId === undefined || one.targetId === targetId),
      )
      .reduce((sum, { actions }) => sum + actions, 0)
}
