import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import { StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import { StoredScores } from '#contract/questions/scores/score-schema.ts'
import type { TargetState } from '#contract/assessments/targets/target-states.ts'
import type { OrganizationSize } from '#contract/questions/vocabulary.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { readAnswers } from '../targets/answer-rows.ts'
import { assembleAnswers, evaluateStored } from '../targets/apply-mutations.ts'
import { readPinnedVersion } from '../targets/pinned-version.ts'

/** What `freeze` stored of a target, as far as reports need it. */
const Frozen = z.object({
  visible: z.array(z.string()),
  answers: z.array(StoredAnswer),
  computed: z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])),
})

/** The answers of a target for a file: as they were frozen, or as they are now while they can change. */
export type FrozenTarget = Readonly<{
  id: string
  name: string
  organizationName: string
  assessmentName: string
  periodStart: string
  periodEnd: string
  state: TargetState
  definition: Definition
  /** Codes of the questions that are asked. */
  visible: ReadonlySet<string>
  /** By question; rows of a table as an array. Computed values are among them. */
  values: Readonly<Record<string, unknown>>
  /** Who answered a question last, and when. */
  answered: ReadonlyMap<string, Readonly<{ by: string; at: string }>>
  scores: StoredScores | null
  /** Names of facilities that answers refer to. */
  facilities: readonly Readonly<{ value: string; label: string }>[]
  /** Of the frozen content; null: the answers are not submitted. */
  sha256: string | null
  frozenAt: string | null
  frozenBy: string | null
}>

type Row = Omit<FrozenTarget, 'definition' | 'visible' | 'values' | 'answered' | 'scores' | 'facilities'> & {
  customerId: string
  organizationId: string
  questionnaireId: string
  number: number
  edition: string | null
  size: OrganizationSize | null
  zone: string
  content: string | null
  scores: unknown
}

/**
 * Targets within reach that match a condition on `t`, by name. Submitted and approved ones have exactly the answers of their
 * latest snapshot, whatever happened to the rows since.
 */
export async function readFrozenTargets(
  db: Database,
  condition: RawBuilder<SqlBool>,
): Promise<FrozenTarget[]> {
  const { rows } = await sql<Row>`
    select t.id::text, t.customer_id::text, t.organization_id::text, coalesce(f.name, o.name) as name, o.name as organization_name,
      a.name as assessment_name, a.period_start::text, a.period_end::text, t.state, a.questionnaire_id::text,
      a.questionnaire_number as number, a.edition, coalesce(t.size, a.size) as size, o.time_zone as zone, s.content, s.sha256, s.made_by as frozen_by,
      ${instant(sql`s.made_at`)} as frozen_at,
      case when g.required_answered = g.required and g.answered > 0 then g.scores end as scores
    from assessment_targets t
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    left join assessment_progress g on g.customer_id = t.customer_id and g.target_id = t.id
    left join lateral (select * from assessment_snapshots x where x.customer_id = t.customer_id and x.target_id = t.id
      and t.state in ('submitted', 'in_review', 'approved', 'closed') order by x.id desc limit 1) s on true
    where ${condition} order by lower(coalesce(f.name, o.name)), t.id`.execute(db)
  const targets: FrozenTarget[] = []
  for (const row of rows) {
    // One after the other: a transaction has one connection. The version is parsed once.
    // oxlint-disable-next-line no-await-in-loop
    targets.push(await readOne(db, row))
  }
  return targets
}

async function readOne(db: Database, row: Row): Promise<FrozenTarget> {
  const { content, scores, customerId, organizationId, questionnaireId, number } = row
  const { compiled } = await readPinnedVersion(db, { customerId, questionnaireId, number })
  const frozen = content === null ? await readNow(db, row) : Frozen.parse(JSON.parse(content))
  const answers = frozen.answers.map((answer, place) => ({ ...answer, place }))
  const answered = new Map<string, { by: string; at: string }>()
  for (const { questionCode, answeredBy, answeredAt } of answers) {
    const known = answered.get(questionCode)
    if (known === undefined || known.at < answeredAt)
      answered.set(questionCode, { by: answeredBy, at: answeredAt })
  }
  const { rows: facilities } = await sql<{ value: string; label: string }>`
    select id::text as value, name as label from facilities where organization_id = ${organizationId}`.execute(
    db,
  )
  return {
    id: row.id,
    name: row.name,
    organizationName: row.organizationName,
    assessmentName: row.assessmentName,
    periodStart: row.periodStart,
    periodEnd: row.periodEnd,
    state: row.state,
    sha256: row.sha256,
    frozenAt: row.frozenAt,
    frozenBy: row.frozenBy,
    definition: compiled.definition,
    visible: new Set(frozen.visible),
    values: { ...assembleAnswers(compiled, answers), ...frozen.computed },
    answered,
    scores: scores === null ? null : StoredScores.parse(scores),
    facilities,
  }
}

async function readNow(db: Database, row: Row): Promise<z.infer<typeof Frozen>> {
  const { id, zone } = row
  const { compiled } = await readPinnedVersion(db, row)
  const answers = await readAnswers(db, id)
  const [language = 'en'] = compiled.definition.languages
  const { visible, computed } = evaluateStored({ compiled, language, now: clock.date(), zone }, answers)
  return {
    visible: [...visible],
    computed: { ...computed },
    answers: answers.filter(({ isSetAside, value }) => !isSetAside && value !== null),
  }
}
