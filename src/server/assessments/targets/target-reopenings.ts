import { sql } from 'kysely'
import type { TargetReopening, targetReopenings } from '#contract/assessments/targets/target-reopenings.ts'
import { wasApprovedByTwo } from '#contract/assessments/targets/target-states.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { type Identity, queueEmails, type UserEmail } from '#server/identity/index.ts'
import {
  callerOf,
  decideReopening,
  type Preparation,
  REOPENING_COLUMNS,
  requireDecider,
  type StoredReopening,
} from '#server/snapshots/reopenings.ts'
import { lockOwnAssessment } from '../assessments/assessment-rows.ts'
import { answererOf } from './answer-scope.ts'
import { countApprovals, readAnsweringUsers } from './approval.ts'
import type { Invitations } from './invitations.ts'
import { readTargetRecord } from './read-target-record.ts'
import { reopenTarget } from './review-target.ts'
import { lockTargetContext, readTargetContext, type TargetContext } from './target-context.ts'
import { composeDecisionMail, composeRequestMails, type InTenant } from './target-reopening-mails.ts'

type Stored = StoredReopening & { targetId: string }
type Person = Pick<Member, 'userId' | 'effectiveUserId'>
type Decider = Person & Pick<Member, 'fullName'>
type Decision = { id: string; decision: NonNullable<TargetReopening['decision']>; reason: string | null }

/** Reopening a target that two people approved needs two people again: one asks, another one confirms. */
export const targetReopeningHandlers = (
  identity: Identity,
  invitations: Invitations,
): Handlers<typeof targetReopenings> => ({
  async list({ db, actor, input: { targetId } }) {
    await readTargetContext(db, targetId)
    const found = await readReopenings(db, sql`o.target_id = ${targetId}`)
    const preparation = await readPreparation(db, targetId)
    return found.map((one) => shown(one, actor, preparation))
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
      return readShown(db, actor, id)
    })
  },

  async confirm({ actor, inTenant, input }) {
    const by = answererOf(actor)
    const mails = await writeDecision(identity, inTenant, actor, { ...input, decision: 'confirmed' })
    const { targetId, reason } = await inTenant(async (db) => {
      const { reopening, target } = await decide(db, actor, { ...input, decision: 'confirmed' })
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
      const { target } = await decide(db, actor, { ...input, decision: 'declined' })
      await queueEmails(db, identity, { mails, organizationId: target.organizationId })
      return readShown(db, actor, input.id)
    })
  },

  async withdraw({ db, actor, input: { id } }) {
    await decide(db, actor, { id, decision: 'withdrawn', reason: null })
    return readShown(db, actor, id)
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
  const { rows } = await sql`
    select from assessment_reopenings where target_id = ${id} and decision is null`.execute(db)
  if (rows.length > 0)
    throw conflict(`Someone has already asked for ${name}. Confirm or decline that request.`)
  return target
}

/** A request that the caller may decide, with its target locked. @throws Failure 404, 403 if they may not, 409 if it was decided */
async function lockDecidable(
  db: Database,
  actor: Decider,
  { id, decision }: Pick<Decision, 'id' | 'decision'>,
): Promise<{ reopening: Stored; target: TargetContext; preparation: Preparation }> {
  const [found] = await readReopenings(db, sql`o.id = ${id}`)
  if (found === undefined) throw notFound('Request')
  const target = await lockTargetContext(db, found.targetId)
  // Again, now that no one else can decide.
  const [reopening = found] = await readReopenings(db, sql`o.id = ${id}`)
  const preparation = await readPreparation(db, target.id)
  requireDecider(actor, { reopening, preparation, decision })
  return { reopening, target, preparation }
}

/** @throws as `lockDecidable` */
async function decide(
  db: Database,
  actor: Decider,
  { reason, ...what }: Decision,
): Promise<{ reopening: Stored; target: TargetContext }> {
  const found = await lockDecidable(db, actor, what)
  const { reopening, preparation } = found
  const { decision } = what
  const table = 'assessment_reopenings'
  await decideReopening(db, actor, { table, reopening, preparation, decision, reason })
  return found
}

/** The email about a decision to the person who asked, written before it is stored. @throws as `lockDecidable` */
async function writeDecision(
  identity: Identity,
  inTenant: InTenant,
  actor: Member,
  { reason, ...what }: Decision & { reason: string },
): Promise<UserEmail[]> {
  const { reopening, target } = await inTenant((db) => lockDecidable(db, actor, what))
  const about = { actor, target, reopening, decision: what.decision, reason }
  return composeDecisionMail(identity, inTenant, about)
}

const readPreparation = async (db: Database, targetId: string): Promise<Preparation> => ({
  people: await readAnsweringUsers(db, targetId),
  did: 'answered questions of this target',
})

async function readReopenings(db: Database, condition: ReturnType<typeof sql>): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select ${REOPENING_COLUMNS}, o.target_id::text from assessment_reopenings o
    where ${condition} order by o.id desc`.execute(db)
  return rows
}

async function readShown(db: Database, actor: Person, id: string): Promise<TargetReopening> {
  const [found] = await readReopenings(db, sql`o.id = ${id}`)
  if (found === undefined) throw notFound('Request')
  return shown(found, actor, await readPreparation(db, found.targetId))
}

function shown(stored: Stored, actor: Person, preparation: Preparation): TargetReopening {
  const { requesterId: _requesterId, effectiveRequesterId: _effective, ...one } = stored
  return { ...one, ...callerOf(stored, actor, preparation) }
}
