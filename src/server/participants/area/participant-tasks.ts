import { sql } from 'kysely'
import type {
  ParticipantQuestionnaire,
  ParticipantTask,
  ParticipantWork,
  Receipt,
} from '#contract/participants/area/participant-area.ts'
import type { Delegation } from '#contract/assessments/targets/collaboration.ts'
import type { TargetRecord } from '#contract/assessments/targets/targets.ts'
import { questionsOfProblem } from '#contract/questions/one-of.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Participant } from '#server/http/actor.ts'
import { forbidden, notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import { type Answerer, readTargetRecord } from '#server/assessments/index.ts'
import { narrowDefinition } from './narrow-definition.ts'

/** An invitation that works, with the person it is for. */
export type Task = Readonly<{
  invitationId: string
  targetId: string
  organizationId: string
  /** The person at the target. */
  assigneeId: string
  role: 'owner' | 'contributor' | 'reader'
  isDelegate: boolean
  sender: string | null
  submittedAt: string | null
}>

/** A participant as the author of answers. */
export const answererOf = ({ participantId, fullName }: Participant): Answerer => ({
  userId: null,
  participantId,
  name: fullName,
  answersAll: false,
})

const columns = sql`i.id::text as invitation_id, i.target_id::text, i.organization_id::text, p.id::text as assignee_id, p.role,
  p.is_delegate, i.invited_by as sender, ${instant(sql`i.submitted_at`)} as submitted_at`
const invited = sql`assessment_invitations i
  join assessment_people p on p.customer_id = i.customer_id and p.target_id = i.target_id
    and p.participant_id = i.participant_id
  join assessment_targets t on t.customer_id = i.customer_id and t.id = i.target_id
  join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id and a.status <> 'draft'
  where i.state <> 'revoked'`

/** @throws Failure 404 for a target that the participant isn't invited to, 403 once the invitation has expired. */
export async function findTask(
  db: Database,
  { participantId }: Participant,
  targetId: string,
): Promise<Task> {
  const { rows } = await sql<Task & { hasExpired: boolean }>`
    select ${columns}, i.expires_at <= app_now() as has_expired from ${invited}
      and i.participant_id = ${participantId} and i.target_id = ${targetId}`.execute(db)
  const [task] = rows
  if (task === undefined) throw notFound('Questionnaire')
  if (task.hasExpired)
    throw forbidden('Your invitation has expired. Ask the person who sent it for a new link.')
  return task
}

/** The participant and their questionnaires, the most urgent first. */
export async function readWork(db: Database, participant: Participant): Promise<ParticipantWork> {
  const { participantId } = participant
  const { rows } = await sql<Task>`
    select ${columns} from ${invited} and i.expires_at > app_now() and i.participant_id = ${participantId}
    order by t.state in ('submitted', 'in_review', 'approved', 'closed'), coalesce(t.due_on, a.due_on), i.id`.execute(
    db,
  )
  const tasks: ParticipantTask[] = []
  for (const task of rows) {
    // A person has a few questionnaires, rarely more than one.
    // oxlint-disable-next-line no-await-in-loop
    tasks.push(taskOf(await readQuestionnaire(db, participant, task)))
  }
  const { rows: people } = await sql<Pick<ParticipantWork, 'name' | 'email' | 'language'>>`
    select name, email, language from assessment_participants where id = ${participantId}`.execute(db)
  const [self] = people
  if (self === undefined) throw notFound('Person')
  return { participantId, ...self, tasks }
}

function taskOf(questionnaire: ParticipantQuestionnaire): ParticipantTask {
  const {
    definition: _1,
    answers: _2,
    evaluation: _3,
    open: _4,
    mine: _5,
    comments: _6,
    version: _14,
    ...rest
  } = questionnaire
  const {
    openRows: _7,
    flags: _8,
    delegations: _9,
    evidence: _10,
    offered: _11,
    facilities: _12,
    receipt: _13,
    ...task
  } = rest
  return task
}

/** A questionnaire as a participant sees it: all of it, or only what was delegated to them. */
export async function readQuestionnaire(
  db: Database,
  participant: Participant,
  task: Task,
): Promise<ParticipantQuestionnaire> {
  const record = await readTargetRecord(db, task.targetId, answererOf(participant), participant.language)
  const sectionOf = sectionsOf(record)
  const own = record.delegations.filter(({ assigneeId }) => assigneeId === task.assigneeId)
  const elsewhere = record.delegations.filter(({ assigneeId }) => assigneeId !== task.assigneeId)
  const isOf = (delegation: Delegation, code: string) =>
    delegation.questionCode === code || delegation.sectionId === sectionOf.get(code)
  const shown = task.isDelegate
    ? new Set([...sectionOf.keys()].filter((code) => own.some((one) => isOf(one, code))))
    : new Set(sectionOf.keys())
  const rows = task.isDelegate ? rowsOf(own) : new Map<string, ReadonlySet<string>>()
  const isShown = (code: string | null) => code !== null && shown.has(code)
  // Of a table with some of the rows only, what others gave stays hidden.
  const isWhole = (code: string) => shown.has(code) && !rows.has(code)
  const mine = task.isDelegate
    ? [...shown]
    : [...sectionOf.keys()].filter((code) => !elsewhere.some((one) => one.rowKey === null && isOf(one, code)))
  const asked = record.evaluation.visible.filter(
    (code) => shown.has(code) && isAnswered(record, code) !== null,
  )
  const definition = task.isDelegate
    ? narrowDefinition(record.definition, {
        questions: shown,
        rows: new Map([...rows].map(([code, keys]) => [code, keys.size])),
      })
    : record.definition
  const flags = record.flags.filter(
    ({ questionCode, resolvedAt }) => isShown(questionCode) && resolvedAt === null,
  )
  // A table of which some rows are theirs.
  const open = new Set([...record.open, ...record.openRows.map(({ questionCode }) => questionCode)])
  return {
    targetId: task.targetId,
    assessmentName: record.assessment.name,
    targetName: record.name,
    organizationName: record.organizationName,
    periodStart: record.assessment.periodStart,
    periodEnd: record.assessment.periodEnd,
    dueOn: record.dueOn,
    isOverdue: record.isOverdue,
    state: record.state,
    role: task.role,
    isDelegate: task.isDelegate,
    sender: task.sender,
    questions: task.isDelegate ? asked.length : record.questions,
    answered: task.isDelegate ? asked.filter((code) => isAnswered(record, code)).length : record.answered,
    requestedChanges: flags.length,
    submittedAt: task.submittedAt,
    version: record.assessment.questionnaireNumber,
    definition,
    answers: record.answers.filter(
      ({ questionCode, rowKey }) => shown.has(questionCode) && (rows.get(questionCode)?.has(rowKey) ?? true),
    ),
    evaluation: task.isDelegate ? narrowed(record.evaluation, { definition, isWhole }) : record.evaluation,
    open: [...open].filter((code) => shown.has(code) && !isClosedFor(task, record)),
    mine,
    comments: record.comments.filter((one) => !task.isDelegate || one.isMine || isShown(one.questionCode)),
    flags,
    openRows: isClosedFor(task, record) ? [] : record.openRows,
    delegations: task.isDelegate ? [] : elsewhere,
    evidence: record.evidence.flatMap((one) => {
      if (!task.isDelegate) return [one]
      const questionCodes = one.questionCodes.filter(
        (code) => isWhole(code) || (one.isMine && shown.has(code)),
      )
      return questionCodes.length === 0 ? [] : [{ ...one, questionCodes }]
    }),
    offered: record.offered.filter(({ questionCode }) => isWhole(questionCode)),
    phase: phaseOf(record),
    opensOn: record.assessment.opensOn,
    facilities: await readFacilities(db, record),
    receipt: await readReceipt(db, task, {
      assessmentName: record.assessment.name,
      targetName: record.name,
      questions: task.isDelegate ? asked.length : record.questions,
      answered: task.isDelegate ? asked.filter((code) => isAnswered(record, code)).length : record.answered,
    }),
  }
}

/** The receipt of an invitation that was used up by submitting. An owner's has the number of the frozen answers. */
async function readReceipt(
  db: Database,
  { targetId, role, submittedAt }: Task,
  of: Pick<Receipt, 'assessmentName' | 'targetName' | 'questions' | 'answered'>,
): Promise<Receipt | null> {
  if (submittedAt === null) return null
  const receipt = { targetId, ...of, submittedAt }
  if (role !== 'owner') return { ...receipt, number: null, sha256: null }
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from assessment_snapshots where target_id = ${targetId} and kind = 'submitted'
    order by id desc limit 1`.execute(db)
  const sha256 = rows[0]?.sha256 ?? null
  return { ...receipt, number: sha256 === null ? null : receiptNumber(sha256), sha256 }
}

const receiptNumber = (sha256: string): string =>
  [0, 4, 8].map((at) => sha256.slice(at, at + 4).toUpperCase()).join('-')

/** A contributor who finished their part changes nothing more, unless a reviewer asks for it. */
export function isClosedFor({ role, submittedAt }: Task, { state }: Pick<TargetRecord, 'state'>): boolean {
  return role === 'reader' || (submittedAt !== null && role !== 'owner' && state !== 'changes_requested')
}

function sectionsOf({ definition }: Pick<TargetRecord, 'definition'>): ReadonlyMap<string, string> {
  return new Map(
    definition.sections.flatMap(({ id, questions }) => questions.map(({ code }) => [code, id] as const)),
  )
}

/** The rows of tables that were delegated, unless the whole table was. */
function rowsOf(own: readonly Delegation[]): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = new Map<string, Set<string>>()
  for (const { questionCode, rowKey } of own) {
    if (questionCode === null || rowKey === null) continue
    if (own.some((one) => one.questionCode === questionCode && one.rowKey === null)) continue
    rows.set(questionCode, (rows.get(questionCode) ?? new Set()).add(rowKey))
  }
  return rows
}

/** Whether a question has an answer that counts; null if it needs none. */
function isAnswered({ definition, answers }: TargetRecord, code: string): boolean | null {
  const question = definition.sections.flatMap(({ questions }) => questions).find((one) => one.code === code)
  if (question === undefined || question.type === 'note' || question.type === 'computed') return null
  return answers.some((one) => one.questionCode === code && one.value !== null && !one.isSetAside)
}

function narrowed(
  evaluation: TargetRecord['evaluation'],
  {
    definition,
    isWhole,
  }: Pick<ParticipantQuestionnaire, 'definition'> & { isWhole: (code: string) => boolean },
): ParticipantQuestionnaire['evaluation'] {
  // Computed values that need answers of others are not in the definition.
  const kept = new Set(sectionsOf({ definition }).keys())
  const isKept = (code: string) => kept.has(code)
  return {
    visible: evaluation.visible.filter(isKept),
    required: evaluation.required.filter(isKept),
    setAside: evaluation.setAside.filter(isKept),
    computed: Object.fromEntries(Object.entries(evaluation.computed).filter(([code]) => isKept(code))),
    totals: {},
    // A problem of several questions names all of them.
    problems: evaluation.problems.filter((problem) =>
      questionsOfProblem(problem).every((code) => isKept(code) && isWhole(code)),
    ),
  }
}

function phaseOf({ assessment: { status, opensOn }, zone }: TargetRecord): ParticipantTask['phase'] {
  if (status === 'closed') return 'closed'
  return opensOn > clock.today(zone) ? 'early' : 'open'
}

async function readFacilities(
  db: Database,
  { definition, organizationId }: TargetRecord,
): Promise<ParticipantQuestionnaire['facilities']> {
  if (!definition.sections.some(({ questions }) => questions.some(({ type }) => type === 'facility')))
    return []
  const { rows } = await sql<{ value: string; label: string }>`
    select id::text as value, name as label from facilities where organization_id = ${organizationId} order by name`.execute(
    db,
  )
  return rows
}
