import { sql } from 'kysely'
import type { targetReopenings } from '#contract/assessments/targets/target-reopenings.ts'
import { wasApprovedByTwo } from '#contract/assessments/targets/target-states.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { type Identity, queueEmails, type UserEmail, writeToActor } from '#server/identity/index.ts'
import {
  decisionMail,
  type ReopeningDecision,
  reopeningsOf,
  type StoredReopening,
} from '#server/snapshots/reopenings.ts'
import { lockOwnAssessment } from '../assessments/assessment-rows.ts'
import { answererOf } from './answer-scope.ts'
import { countApprovals, readAnsweringUsers } from './approval.ts'
import type { Invitations } from './invitations.ts'
import { readTargetRecord } from './read-target-record.ts'
import { reopenTarget } from './review-target.ts'
import { lockTargetContext, readTargetContext, type TargetContext } from './target-context.ts'
import { composeRequestMails, type InTenant, readSubject } from './target-reopening-mails.ts'

type Stored = StoredReopening & { targetId: string }

const reopenings = reopeningsOf<Stored, TargetContext>({
  table: 'assessment_reopenings',
  column: 'target_id',
  more: sql`, o.target_id::text`,
  lock: lockTargetContext,
  readPreparation: async (db, targetId) => ({
    people: await readAnsweringUsers(db, targetId),
    did: 'answered questions of this target',
  }),
})

/** Reopening a target that two people approved needs two people again: one asks, another one confirms. */
export const targetReopeningHandlers = (
  identity: Identity,
  invitations: Invitations,
): Handlers<typeof targetReopenings> => ({
  async list({ db, actor, input: { targetId } }) {
    await readTargetContext(db, targetId)
    return reopenings.list(db, actor, targetId)
  },

  async request({ actor, inTenant, input: { targetId, reason } }) {
    const target = await inTenant((db) => requireRequestable(db, targetId))
    const mails = await composeRequestMails(identity, inTenant, { actor, target, reason })
    return inTenant(async (db) => {
      await requireRequestable(db, targetId)
      const { id } = await db
        .insertInto('assessmentReopenings')
        .values({ targetId, organizationId: target.organizationId, reason })
        .returning('id')
        .executeTakeFirstOrThrow()
      await queueEmails(db, identity, { mails, organizationId: target.organizationId })
      return reopenings.readShown(db, actor, id)
    })
  },

  async confirm({ actor, inTenant, input }) {
    const by = answererOf(actor)
    const mails = await writeDecision(identity, inTenant, actor, { ...input, decision: 'confirmed' })
    const { targetId, reason } = await inTenant(async (db) => {
      const { reopening, subject: target } = await reopenings.decide(db, actor, {
        ...input,
        decision: 'confirmed',
      })
      await reopenTarget(db, { targetId: target.id, by, reason: reopening.reason, isConfirmed: true })
      await queueEmails(db, identity, { mails, organizationId: target.organizationId })
      return reopening
    })
    await invitations.mailReturned(inTenant, { targetId, byName: by.name, reason })
    return inTenant((db) => readTargetRecord(db, targetId, by))
  },

  async decline({ actor, inTenant, input }) {
    const mails = await writeDecision(identity, inTenant, actor, { ...input, decision: 'declined' })
    return inTenant(async (db) => {
      const { subject: target } = await reopenings.decide(db, actor, { ...input, decision: 'declined' })
      await queueEmails(db, identity, { mails, organizationId: target.organizationId })
      return reopenings.readShown(db, actor, input.id)
    })
  },

  async withdraw({ db, actor, input: { id } }) {
    await reopenings.decide(db, actor, { id, decision: 'withdrawn', reason: null })
    return reopenings.readShown(db, actor, id)
  },
})

/** @throws Failure 404, 403 if another organization runs the assessment, or 409 if it can't be asked for */
async function requireRequestable(db: Database, id: string): Promise<TargetContext> {
  const target = await lockTargetContext(db, id)
  await lockOwnAssessment(db, target.assessmentId)
  const { name, state, status } = target
  if (status !== 'open') throw conflict('Reopen the assessment first.')
  if (state !== 'approved') throw conflict(`${name} is not approved, so there is nothing to confirm.`)
  if (!wasApprovedByTwo({ state, approvals: await countApprovals(db, id) }))
    throw conflict(`${name} was approved by one person, so it needs no second one now. Reopen it.`)
  if (await reopenings.isAskedFor(db, id))
    throw conflict(`Someone has already asked for ${name}. Confirm or decline that request.`)
  return target
}

/** The email about a decision to the person who asked, written before it is stored. @throws as deciding it */
async function writeDecision(
  identity: Identity,
  inTenant: InTenant,
  actor: Member,
  { reason, ...what }: ReopeningDecision & { reason: string },
): Promise<UserEmail[]> {
  const { reopening, subject } = await inTenant(async (db) => {
    const found = await reopenings.lockDecidable(db, actor, what)
    return { ...found, subject: await readSubject(db, found.subject) }
  })
  const about = { actor, reopening, decision: what.decision, reason }
  const { people, email } = decisionMail({ ...about, subject, what: 'reopen' })
  return writeToActor(identity, people, email)
}
