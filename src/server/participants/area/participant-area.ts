import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'
import type pg from 'pg'
import type { Delegation } from '#contract/assessments/targets/collaboration.ts'
import type { participantArea, Receipt } from '#contract/participants/area/participant-area.ts'
import type { Received } from '#contract/endpoint.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type Limits, makeQuota, spaceOf } from '#server/files/index.ts'
import type { Participant } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused, tooMany } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { countRequest } from '#server/identity/index.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import {
  addComment,
  addDelegation,
  downloadSnapshot,
  removeDelegation,
  addTargetEvidence,
  applyEvidence,
  evidencePlace,
  findEvidence,
  withdrawEvidence,
  readAnswerScope,
  readPinnedVersion,
  reportPresence,
  saveAnswers,
  submitTarget,
  verifySnapshot,
  readTargetContext,
} from '#server/assessments/index.ts'
import type { MakePdf } from '#server/printed-document.ts'
import { answersDocument } from './answers-document.ts'
import { makeInvitationOpener } from '../access/participant-links.ts'
import { endParticipantSession } from '../access/participant-sessions.ts'
import {
  answererOf,
  findTask,
  isClosedFor,
  readQuestionnaire,
  readWork,
  type Task,
} from './participant-tasks.ts'
import {
  type InTenant,
  type Mailer,
  readRecipients,
  removeLinks,
  sendInvitations,
} from '../invitations/send-invitations.ts'

/** The most emails that the colleagues of one participant get in an hour. */
const MOST_EMAILS = 30

type Parts = {
  iam: Kysely<DB>
  pool: pg.Pool
  mailer: Mailer
  storageOf: OutsideStorage
  limits: Limits
  pdfOf: MakePdf
}

type AreaHandlers = Handlers<typeof participantArea>

/** What participants do. Each call first finds the participant's own invitation: another's questionnaire is not found. */
export function participantAreaHandlers(parts: Parts): AreaHandlers {
  const openInvitation = makeInvitationOpener(parts)
  return {
    ...delegationHandlers(parts),
    ...fileHandlers(parts),
    open: ({ input: { token } }) => openInvitation(token),

    async signOut({ db, visit }) {
      await endParticipantSession(db, visit)
      return null
    },

    work: ({ db, actor }) => readWork(db, actor),

    async setLanguage({ db, actor, input: { language } }) {
      await db
        .updateTable('assessmentParticipants')
        .set({ language })
        .where('id', '=', actor.participantId)
        .execute()
      return null
    },

    async get({ db, actor, input: { id } }) {
      return readQuestionnaire(db, actor, await findTask(db, actor, id))
    },

    async save({ db, actor, input: { targetId, mutations } }) {
      const task = await findTask(db, actor, targetId)
      await requireOpen(db, task)
      const saved = await saveAnswers(db, {
        targetId,
        by: answererOf(actor),
        mutations,
        language: actor.language,
      })
      if (saved.results.some(({ status }) => status === 'accepted')) await noteStart(db, task)
      return task.isDelegate ? withoutOthers(saved, await readQuestionnaire(db, actor, task)) : saved
    },

    async ask({ db, actor, input }) {
      const task = await findTask(db, actor, input.targetId)
      await requireShown(db, actor, task, input.questionCode)
      return addComment(db, { by: answererOf(actor), ...input, isInternal: false })
    },

    async reportPresence({ db, actor, input }) {
      const task = await findTask(db, actor, input.targetId)
      if (!task.isDelegate) return reportPresence(db, answererOf(actor), input)
      const isOwn = await readOwnParts(db, actor, task)
      const { questionCode } = input
      const others = await reportPresence(db, answererOf(actor), {
        ...input,
        questionCode: questionCode !== null && isOwn(questionCode) ? questionCode : null,
      })
      return others.filter((one) => one.questionCode !== null && isOwn(one.questionCode))
    },

    async submit({ db, actor, input: { targetId } }) {
      return submitPart(db, actor, await findTask(db, actor, targetId))
    },
  }
}

/** Which questions a delegate sees: those they may answer, or rows of them. */
async function readOwnParts(
  db: Database,
  actor: Participant,
  { targetId }: Task,
): Promise<(questionCode: string) => boolean> {
  const target = await readTargetContext(db, targetId)
  const { compiled } = await readPinnedVersion(db, target)
  const scope = await readAnswerScope(
    db,
    target,
    answererOf(actor),
    (code) => compiled.byCode.get(code)?.section.id,
  )
  return scope.mayAnswerPart
}

/** Giving parts of a questionnaire to colleagues. */
function delegationHandlers({ iam, mailer }: Parts): Pick<AreaHandlers, 'delegate' | 'takeBack' | 'remind'> {
  const send = (inTenant: InTenant, actor: Participant, to: { id: string; message: string | null }) =>
    emailColleague({ iam, mailer, inTenant }, actor, to)
  return {
    async delegate({ actor, inTenant, input }) {
      const { delegation, assigneeId } = await inTenant((db) => delegatePart(db, actor, input))
      await send(inTenant, actor, { id: assigneeId, message: input.message })
      return delegation
    },

    async takeBack({ db, actor, input: { targetId, id } }) {
      await findTask(db, actor, targetId)
      await requireDelegation(db, targetId, id)
      await removeDelegation(db, { by: answererOf(actor), id })
      return null
    },

    async remind({ actor, inTenant, input: { targetId, id } }) {
      const assigneeId = await inTenant(async (db) => {
        requireOwner(await findTask(db, actor, targetId))
        const assignee = await requireDelegation(db, targetId, id)
        await requireReminder(db, assignee)
        return assignee
      })
      await send(inTenant, actor, { id: assigneeId, message: null })
      return null
    },
  }
}

type FileCalls =
  | 'addEvidence'
  | 'useEvidence'
  | 'removeEvidence'
  | 'downloadEvidence'
  | 'submission'
  | 'verifySubmission'
  | 'pdf'

/** Evidence, and the answers as a file. */
function fileHandlers({ storageOf, limits, pdfOf }: Parts): Pick<AreaHandlers, FileCalls> {
  const quota = makeQuota(limits)
  return {
    async addEvidence({ actor, inTenant, outside, input: { targetId, questionCode, uploadId }, files }) {
      await inTenant(async (db) => requireOpen(db, await findTask(db, actor, targetId)))
      const { customerId } = actor
      const storage = storageOf(outside)
      const counted = await quota.begin(storage, spaceOf(customerId))
      try {
        return await addTargetEvidence(storage, inTenant, {
          by: answererOf(actor),
          customerId,
          targetId,
          questionCode,
          uploadId,
          sent: { files, ...counted },
        })
      } finally {
        counted.end()
      }
    },

    async useEvidence({ db, actor, input }) {
      const task = await findTask(db, actor, input.targetId)
      await requireOpen(db, task)
      await requireEvidence(db, actor, task, input.id)
      return applyEvidence(db, answererOf(actor), input)
    },

    async removeEvidence({ db, actor, input }) {
      const task = await findTask(db, actor, input.targetId)
      await requireOpen(db, task)
      await requireEvidence(db, actor, task, input.id)
      await withdrawEvidence(db, answererOf(actor), { ...input, mayRemoveAll: task.role === 'owner' })
      return null
    },

    async downloadEvidence({ actor, inTenant, outside, input: { id, targetId } }) {
      const { name, type, storedAs } = await inTenant(async (db) => {
        await requireEvidence(db, actor, await findTask(db, actor, targetId), id)
        return findEvidence(db, id)
      })
      const file = await storageOf(outside).read(evidencePlace(actor.customerId, storedAs))
      if (file === null) throw notFound('File')
      return new Download({ name, type, body: file.body })
    },

    submission: ({ actor, inTenant, input: { id } }) =>
      inTenant(async (db) => downloadSnapshot(db, await submissionOf(db, actor, id))),

    async verifySubmission({ db, actor, input: { targetId, sha256 } }) {
      return verifySnapshot(db, { of: await submissionOf(db, actor, targetId), sha256, kind: 'submitted' })
    },

    async pdf({ actor, inTenant, input: { id } }) {
      const questionnaire = await inTenant(async (db) =>
        readQuestionnaire(db, actor, await findTask(db, actor, id)),
      )
      const { assessmentName, targetName } = questionnaire
      return new Download({
        name: `${assessmentName} - ${targetName}.pdf`,
        type: 'application/pdf',
        body: await pdfOf(answersDocument(questionnaire, actor), actor.customerId),
      })
    },
  }
}

/** The submissions of a target, as a condition on `s`, for the owner whose receipt they are. @throws Failure 404 */
async function submissionOf(
  db: Database,
  actor: Participant,
  targetId: string,
): Promise<RawBuilder<SqlBool>> {
  const { role, submittedAt } = await findTask(db, actor, targetId)
  if (role !== 'owner' || submittedAt === null) throw notFound('Submission')
  return sql<SqlBool>`s.target_id = ${targetId} and s.kind = 'submitted'`
}

/** @throws Failure 403 if the participant only reads, or finished their part. */
async function requireOpen(db: Database, task: Task): Promise<void> {
  if (task.role === 'reader') throw forbidden('You can read this questionnaire but not answer it.')
  const { state } = await db
    .selectFrom('assessmentTargets')
    .select('state')
    .where('id', '=', task.targetId)
    .executeTakeFirstOrThrow()
  if (isClosedFor(task, { state })) throw forbidden('You finished your part of this questionnaire.')
}

/** @throws Failure 404 for a file that the participant doesn't see. */
async function requireEvidence(db: Database, actor: Participant, task: Task, id: string): Promise<void> {
  const { evidence } = await readQuestionnaire(db, actor, task)
  if (evidence.every((file) => file.id !== id)) throw notFound('File')
}

function requireOwner({ role }: Task): void {
  if (role !== 'owner') throw forbidden('Only the owner of this questionnaire can do this.')
}

/** @throws Failure 400 for a question that the participant doesn't see. */
async function requireShown(
  db: Database,
  actor: Participant,
  task: Task,
  code: string | null,
): Promise<void> {
  if (code === null) return
  const { definition } = await readQuestionnaire(db, actor, task)
  if (definition.sections.some(({ questions }) => questions.some((one) => one.code === code))) return
  throw refused('Some fields are invalid.', { questionCode: 'Choose a question of this questionnaire.' })
}

async function noteStart(db: Database, { invitationId }: Task): Promise<void> {
  await sql`update assessment_invitations set state = 'in_progress', started_at = coalesce(started_at, app_now())
    where id = ${invitationId} and state in ('created', 'sent', 'bounced', 'opened')`.execute(db)
}

type Saved = Awaited<ReturnType<typeof saveAnswers>>

/** A delegate learns nothing about the other questions. */
function withoutOthers(
  saved: Saved,
  { evaluation, questions, answered }: Awaited<ReturnType<typeof readQuestionnaire>>,
): Saved {
  return { ...saved, evaluation, questions, answered, required: 0, requiredAnswered: 0, score: null }
}

async function delegatePart(
  db: Database,
  actor: Participant,
  input: Received<typeof participantArea.delegate>,
): Promise<{ delegation: Delegation; assigneeId: string }> {
  const { targetId, sectionId, questionCode, rowKey, name, email } = input
  const task = await findTask(db, actor, targetId)
  requireOwner(task)
  await requireOpen(db, task)
  // A person who is known keeps their name and language.
  const { rows } = await sql<{ id: string }>`
    insert into assessment_participants (organization_id, name, email, language)
    values (${task.organizationId}, ${name}, ${email}, ${actor.language})
    on conflict (customer_id, organization_id, email_key) do update set name = assessment_participants.name
    returning id::text`.execute(db)
  const participantId = rows[0]?.id ?? ''
  if (participantId === actor.participantId) {
    throw refused('Some fields are invalid.', { email: 'This is your own email address.' })
  }
  await requireNotRevoked(db, { targetId, participantId })
  const delegation = await addDelegation(db, {
    by: answererOf(actor),
    targetId,
    participantId,
    sectionId,
    questionCode,
    rowKey,
  })
  return { delegation, assigneeId: delegation.assigneeId }
}

/** Staff ended this person's access: a colleague can't give it back. @throws Failure 400 */
async function requireNotRevoked(
  db: Database,
  { targetId, participantId }: { targetId: string; participantId: string },
): Promise<void> {
  const found = await db
    .selectFrom('assessmentInvitations')
    .select('id')
    .where('targetId', '=', targetId)
    .where('participantId', '=', participantId)
    .where('state', '=', 'revoked')
    .executeTakeFirst()
  if (found !== undefined) throw refused('Some fields are invalid.', { email: REVOKED })
}
const REVOKED = "This person's access was ended. Ask the sender of your invitation."

/** The person a part was delegated to. @throws Failure 404 for a delegation of another target */
async function requireDelegation(db: Database, targetId: string, id: string): Promise<string> {
  const found = await db
    .selectFrom('assessmentDelegations')
    .select('assigneeId')
    .where('id', '=', id)
    .where('targetId', '=', targetId)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Delegation')
  return found.assigneeId
}

/** @throws Failure 409 within a day of the last email, and once staff have ended the person's access. */
async function requireReminder(db: Database, assigneeId: string): Promise<void> {
  const { rows } = await sql<{ isRevoked: boolean }>`
    select i.state = 'revoked' as is_revoked from assessment_people p
    join assessment_invitations i on i.customer_id = p.customer_id and i.target_id = p.target_id
      and i.participant_id = p.participant_id
    left join outbox_mails m on m.customer_id = i.customer_id and m.id = i.mail_id
    where p.id = ${assigneeId} and (i.state = 'revoked' or m.created_at > app_now() - interval '1 day')`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) return
  throw conflict(found.isRevoked ? REVOKED : 'An email was sent in the last 24 hours.')
}

/** Emails a colleague, who may also be a user, and then has the questions in their account. */
async function emailColleague(
  { iam, mailer, inTenant }: { iam: Kysely<DB>; mailer: Mailer; inTenant: InTenant },
  actor: Participant,
  { id, message }: { id: string; message: string | null },
): Promise<void> {
  const key = `${actor.customerId}/${actor.participantId}`
  const { count, seconds } = await countRequest(iam, 'emails of a participant', key, 3_600)
  if (count > MOST_EMAILS) throw tooMany('You sent too many emails. Try again later.', seconds)
  const recipients = await inTenant((db) => readRecipients(db, [id]))
  await sendInvitations(mailer, inTenant, recipients, { byName: actor.fullName, message })
}

/** Submits the questionnaire, or finishes a contributor's part. Either uses up the link. */
async function submitPart(db: Database, actor: Participant, task: Task): Promise<Receipt> {
  const { targetId, invitationId, role } = task
  if (role === 'owner') await submitTarget(db, { targetId, by: answererOf(actor), language: actor.language })
  else await requireOpen(db, task)
  await sql`update assessment_invitations set state = 'submitted', submitted_at = app_now()
    where id = ${invitationId}`.execute(db)
  await removeLinks(db, actor.customerId, [invitationId])
  const { receipt } = await readQuestionnaire(db, actor, await findTask(db, actor, targetId))
  if (receipt === null) throw new Error('The submission has no receipt.')
  return receipt
}
