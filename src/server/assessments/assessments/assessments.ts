import { sql } from 'kysely'
import type { assessments, Assessment } from '#contract/assessments/assessments/assessments.ts'
import { dayAfter } from '#contract/days.ts'
import { Definition } from '#contract/questions/definition.ts'
import { dependsOn } from '#contract/questions/obligations.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import { conflict, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Identity } from '#server/identity/index.ts'
import { readPage } from '#server/lists/read-list.ts'
import { copyAssessment } from './copy-assessment.ts'
import {
  assessmentColumns,
  assessmentSource,
  lockOwnAssessment,
  readAssessment,
  readAssessments,
} from './assessment-rows.ts'
import { findUnanswerable } from '../targets/find-unanswerable.ts'
import type { Invitations } from '../targets/invitations.ts'
import { notifyOpened } from '../targets/notify-opened.ts'
import { startProgress } from '../targets/start-progress.ts'

const INVALID = 'Some fields are invalid.'

async function lockSeen(db: Database, seen: Received<typeof assessments.remove>): Promise<string> {
  await lockOwnAssessment(db, seen.id)
  await requireSeen(db, seen, { table: 'assessments', noun: 'assessment', read: readAssessment })
  return seen.id
}

/** Assessments, from setting up to closing. The organization that runs one changes it. */
export function assessmentHandlers(
  identity: Identity,
  invitations: Invitations,
): Handlers<typeof assessments> {
  return {
    async list({ db, actor, input }) {
      const { ids, ...counts } = await readPage(db, actor, assessmentSource, input)
      return { ...counts, results: await readAssessments(db, actor, ids) }
    },

    get: ({ db, input }) => readAssessment(db, input.id),

    add: ({ db, input }) => addAssessment(db, input),

    async update({ db, input: { id, version, ...changes } }) {
      const current = await lockOwnAssessment(db, id)
      if (version !== undefined && version !== current.version) throw stale('This assessment', current)
      requireChangeable(current, changes)
      const isOther = isOtherQuestionnaire(current, changes)
      await explainRefusal(
        db
          .updateTable('assessments')
          .set({
            version: sql`version`,
            ...assessmentColumns.write(changes),
            ...(isOther && { questionnaireName: await nameOfVersion(db, versionOf(current, changes)) }),
          })
          .where('id', '=', id)
          .execute(),
      )
      return readAssessment(db, id)
    },

    async check({ actor, inTenant, input }) {
      return findUnanswerable(identity, inTenant, { customerId: actor.customerId, id: input.id })
    },

    async open({ actor, inTenant, input: { id, isIncomplete } }) {
      const unanswerable = isIncomplete
        ? []
        : await findUnanswerable(identity, inTenant, { customerId: actor.customerId, id })
      const opened = await inTenant((db) => openAssessment(db, id, unanswerable))
      await invitations.inviteWaiting(inTenant, { assessmentId: id, byName: actor.fullName })
      await notifyOpened(identity, inTenant, {
        customerId: actor.customerId,
        assessmentId: id,
        byName: actor.fullName,
      })
      return opened
    },

    async close({ db, input: { id } }) {
      const { status } = await lockOwnAssessment(db, id)
      if (status !== 'open') throw conflict('Only an open assessment can be closed.')
      await db
        .updateTable('assessments')
        .set({ status: 'closed', closedAt: sql`app_now()` })
        .where('id', '=', id)
        .execute()
      await sql`
        update assessment_targets set closed_from = state, state = 'closed'
        where assessment_id = ${id} and state = 'approved'`.execute(db)
      return readAssessment(db, id)
    },

    async reopen({ db, input: { id } }) {
      const { status } = await lockOwnAssessment(db, id)
      if (status !== 'closed') throw conflict('Only a closed assessment can be reopened.')
      await db
        .updateTable('assessments')
        .set({ status: 'open', closedAt: null })
        .where('id', '=', id)
        .execute()
      await sql`
        update assessment_targets set state = closed_from, closed_from = null
        where assessment_id = ${id} and state = 'closed'`.execute(db)
      return readAssessment(db, id)
    },

    async duplicate({ db, input: { id, name } }) {
      const current = await lockOwnAssessment(db, id)
      return explainRefusal(copyAssessment(db, current, name))
    },

    async remove({ db, input }) {
      const id = await lockSeen(db, input)
      const { rows } = await sql`
        select from assessment_targets t where t.assessment_id = ${id}
          and (exists (select from assessment_answers a where a.customer_id = t.customer_id and a.target_id = t.id)
            or exists (select from assessment_snapshots s where s.customer_id = t.customer_id and s.target_id = t.id)) limit 1`.execute(
        db,
      )
      if (rows.length > 0)
        throw conflict('This assessment has answers. Close it instead, so that they stay readable.')
      await db.deleteFrom('assessments').where('id', '=', id).execute()
      return null
    },
  }
}

/** Adds a draft. @throws Failure 400 for an unknown questionnaire or dates in the wrong order, 409 if its name is in use. */
export async function addAssessment(
  db: Database,
  input: Received<typeof assessments.add>,
): Promise<Assessment> {
  requireDays(input)
  const questionnaireName = await nameOfVersion(db, input)
  const { id } = await explainRefusal(
    db
      .insertInto('assessments')
      .values({ ...assessmentColumns.write(input), questionnaireName })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return readAssessment(db, id)
}

/** @throws Failure 409 if it isn't a draft, has no targets, or no one can answer a target. */
export async function openAssessment(
  db: Database,
  id: string,
  unanswerable: readonly { name: string; reason: string }[],
): Promise<Assessment> {
  const assessment = await lockOwnAssessment(db, id)
  const { status, targets } = assessment
  if (status !== 'draft') throw conflict('This assessment is already open.')
  if (targets === 0) throw conflict('Add at least one target before you open the assessment.')
  await requireScope(db, assessment)
  const [first] = unanswerable
  if (first !== undefined) {
    const more = unanswerable.length > 1 ? ` ${unanswerable.length - 1} more have the same problem.` : ''
    throw conflict(`No one can answer for ${first.name}: ${first.reason}${more} Fix this, or open it anyway.`)
  }
  await db
    .updateTable('assessments')
    .set({ status: 'open', openedAt: sql`app_now()` })
    .where('id', '=', id)
    .execute()
  await startProgress(db, id)
  return readAssessment(db, id)
}

/** @throws Failure 409 if obligations depend on an edition or size that isn't chosen. */
async function requireScope(db: Database, assessment: Assessment): Promise<void> {
  const { rows } = await sql<{ definition: unknown }>`
    select definition from questionnaire_versions where questionnaire_id = ${assessment.questionnaireId}
      and number = ${assessment.questionnaireNumber}`.execute(db)
  const definition = Definition.parse(rows[0]?.definition)
  const needs = dependsOn(definition)
  const { edition, size } = assessment
  if (needs.edition && !definition.editions?.some(({ code }) => code === edition))
    throw conflict(
      'Choose the edition before you open the assessment: it decides which questions are required.',
    )
  if (needs.size && size === null)
    throw conflict(
      'Choose the company size before you open the assessment: it decides which questions are required.',
    )
}

type Changes = Omit<Received<typeof assessments.update>, 'id' | 'version'>

/** @throws Failure 400 for dates in the wrong order, 409 if the questionnaire of an open assessment would change. */
function requireChangeable(current: Assessment, changes: Changes): void {
  requireDays({
    periodStart: changes.periodStart ?? current.periodStart,
    periodEnd: changes.periodEnd ?? current.periodEnd,
    opensOn: changes.opensOn ?? current.opensOn,
    dueOn: changes.dueOn ?? current.dueOn,
  })
  if (isOtherQuestionnaire(current, changes) && current.status !== 'draft')
    throw conflict(
      'An open assessment keeps its questionnaire. Duplicate it to use another one, or move it to another version.',
    )
  const isOtherScope =
    (changes.edition !== undefined && changes.edition !== current.edition) ||
    (changes.size !== undefined && changes.size !== current.size)
  if (isOtherScope && current.status !== 'draft')
    throw conflict(
      'An open assessment keeps its edition and company size. Targets can have a company size of their own.',
    )
  // Otherwise one reviewer could change it, approve alone, and change it back.
  if (current.review === 'two' && changes.review === 'one' && current.status !== 'draft')
    throw conflict('An open assessment keeps its two reviewers. Duplicate it to have one reviewer.')
  if (changes.previousId === current.id)
    throw refused(INVALID, { previousId: "Choose another assessment as last year's." })
}

type QuestionnaireChoice = Pick<Assessment, 'questionnaireId' | 'questionnaireNumber'>

function versionOf(current: Assessment, changes: Changes): QuestionnaireChoice {
  return {
    questionnaireId: changes.questionnaireId ?? current.questionnaireId,
    questionnaireNumber: changes.questionnaireNumber ?? current.questionnaireNumber,
  }
}

function isOtherQuestionnaire(current: Assessment, changes: Changes): boolean {
  const { questionnaireId, questionnaireNumber } = versionOf(current, changes)
  return questionnaireId !== current.questionnaireId || questionnaireNumber !== current.questionnaireNumber
}

function requireDays(days: Pick<Assessment, 'periodStart' | 'periodEnd' | 'opensOn' | 'dueOn'>): void {
  const fields = {
    ...(days.periodEnd < days.periodStart && { periodEnd: 'The period ends before it starts.' }),
    ...(days.dueOn < days.opensOn && { dueOn: 'The due date is before the opening date.' }),
    ...(days.periodEnd > dayAfter(days.periodStart, 1_100) && {
      periodEnd: 'A period can be at most three years long.',
    }),
  }
  if (Object.keys(fields).length > 0) throw refused(INVALID, fields)
}

/** The name of the questionnaire to store. @throws Failure 400 if the version doesn't exist or the questionnaire is retired. */
async function nameOfVersion(db: Database, chosen: QuestionnaireChoice): Promise<string> {
  const { rows } = await sql<{ name: string; isRetired: boolean }>`
    select q.name, q.retired_at is not null as is_retired from questionnaires q
    join questionnaire_versions v on v.customer_id = q.customer_id and v.questionnaire_id = q.id
    where q.id = ${chosen.questionnaireId} and v.number = ${chosen.questionnaireNumber}`.execute(db)
  const [found] = rows
  if (found === undefined)
    throw refused(INVALID, { questionnaireId: 'Choose a published version of a questionnaire.' })
  if (found.isRetired)
    throw refused(INVALID, { questionnaireId: `${found.name} is retired. Choose another one.` })
  return found.name
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (brokenKey(error) === 'assessments_customer_id_name_key_key') {
      throw conflict('Another assessment already has this name.', { name: 'This name is already in use.' })
    }
    if (isViolation(error, 'foreign key')) {
      throw refused(INVALID, { previousId: 'Choose an assessment that exists.' })
    }
    throw error
  }
}
