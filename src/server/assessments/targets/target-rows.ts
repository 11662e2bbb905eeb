import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { SectionCounts } from '#contract/assessments/targets/section-progress.ts'
import { Target, TARGET_LIST } from '#contract/assessments/targets/targets.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { contains } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { readPinnedVersion } from './pinned-version.ts'
import { isOverdue } from '../assessments/assessment-rows.ts'

const column = (name: string) => ({ value: sql.ref(name) })
const dueOn = sql`coalesce(t.due_on, a.due_on)`
const name = sql<string>`coalesce(f.name, o.name)`
const owner = sql`(select p.name from assessment_people p where p.customer_id = t.customer_id and p.target_id = t.id
  and p.role = 'owner')`

/** The targets within reach, with their assessment, organization and facility. */
export const targetSource: ListSource<keyof typeof TARGET_LIST.fields> = {
  list: TARGET_LIST,
  from: sql`assessment_targets t
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    left join assessment_progress g on g.customer_id = t.customer_id and g.target_id = t.id`,
  within: (actor) => sql`t.customer_id = ${actor.customerId}`,
  id: sql`t.id`,
  title: name,
  fields: {
    name: { value: name, joins: 'value', isNeverNull: true },
    assessmentId: { value: sql`t.assessment_id::text`, isNeverNull: true },
    organizationName: { ...column('o.name'), joins: 'value', isNeverNull: true },
    state: { ...column('t.state'), isNeverNull: true },
    isOverdue: { value: isOverdue('a'), joins: 'value', isNeverNull: true },
    ownerName: { value: owner },
    answered: { value: sql`coalesce(g.answered, 0)`, joins: 'value', isNeverNull: true },
    questions: { value: sql`coalesce(g.questions, 0)`, joins: 'value', isNeverNull: true },
    score: { ...column('g.score'), joins: 'value' },
    dueOn: { value: dueOn, joins: 'value', isNeverNull: true },
    answeredAt: { ...column('g.answered_at'), joins: 'value' },
    submittedAt: column('t.submitted_at'),
    approvedAt: column('t.approved_at'),
  },
  search: (
    text,
  ) => sql`(${contains([name, sql.ref('o.name')], text)} or exists (select from assessment_people p
    where p.customer_id = t.customer_id and p.target_id = t.id and ${contains([sql.ref('p.name'), sql.ref('p.email')], text)}))`,
  searchJoins: true,
}

type Row = Omit<Target, 'sections'> & {
  sections: SectionCounts[]
  flagged: string[]
  customerId: string
  questionnaireId: string
  number: number
}

const round = sql`(select count(*) from assessment_snapshots s where s.customer_id = t.customer_id and s.target_id = t.id
  and s.kind = 'submitted')`

/** Targets that match a condition on `t`, in no particular order. */
export async function readTargets(db: Database, condition: RawBuilder<SqlBool>): Promise<Target[]> {
  const { rows } = await sql<Row>`
    select t.id::text, t.customer_id::text, t.assessment_id::text, t.organization_id::text, o.name as organization_name,
      t.facility_id::text, ${name} as name, t.state, ${isOverdue('a')} as is_overdue, ${dueOn}::text as due_on,
      t.due_on is not null as has_own_due_date, t.size, ${owner} as owner_name,
      coalesce((select json_agg(json_build_object('id', p.id::text, 'role', p.role, 'userId', p.user_id::text,
          'participantId', p.participant_id::text, 'name', p.name, 'email', p.email, 'isDelegate', p.is_delegate)
          order by array_position(array['owner', 'contributor', 'reader', 'reviewer'], p.role), p.id)
        from assessment_people p where p.customer_id = t.customer_id and p.target_id = t.id), '[]') as people,
      coalesce(g.sections, '[]') as sections, coalesce(g.questions, 0) as questions, coalesce(g.answered, 0) as answered,
      coalesce(g.required, 0) as required, coalesce(g.required_answered, 0) as required_answered, g.score::float8 as score,
      (select r.decided_by from assessment_reviews r where r.customer_id = t.customer_id and r.target_id = t.id
        and r.decision in ('started', 'approved', 'changes_requested') and t.state in ('in_review', 'changes_requested',
        'approved', 'closed') order by r.id desc limit 1) as reviewer_name,
      (select count(*)::int from assessment_reviews r where r.customer_id = t.customer_id and r.target_id = t.id
        and r.decision = 'approved' and r.round = ${round}) as approvals,
      ${instant(sql`g.answered_at`)} as answered_at, g.answered_by, ${instant(sql`t.submitted_at`)} as submitted_at, t.submitted_by,
      ${instant(sql`t.approved_at`)} as approved_at,
      (select ${instant(sql`max(m.sent_at)`)} from assessment_reminders m where m.customer_id = t.customer_id
        and m.target_id = t.id) as reminded_at,
      t.version, ${instant(sql`t.updated_at`)} as updated_at, t.updated_by,
      array(select x.question_code from assessment_flags x where x.customer_id = t.customer_id and x.target_id = t.id
        and x.resolved_at is null) as flagged,
      a.questionnaire_id::text, a.questionnaire_number as number
    from ${targetSource.from} where ${condition}`.execute(db)
  const targets: Target[] = []
  for (const row of rows) {
    // One query for each version; it is parsed once.
    // oxlint-disable-next-line no-await-in-loop
    targets.push(Target.parse({ ...row, sections: await withFlags(db, row) }))
  }
  return targets
}

/** The sections with the number of questions whose change is requested. */
async function withFlags(db: Database, row: Row): Promise<Target['sections']> {
  if (row.flagged.length === 0) return row.sections.map((one) => ({ ...one, flagged: 0 }))
  const { compiled } = await readPinnedVersion(db, row)
  const sections = row.flagged.map((code) => compiled.byCode.get(code)?.section.id)
  return row.sections.map((one) => ({
    ...one,
    flagged: sections.filter((section) => section === one.section).length,
  }))
}
