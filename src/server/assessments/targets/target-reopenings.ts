import { sql } from 'kysely'
import type { TargetReopening, targetReopenings } from '#contract/assessments/targets/target-reopenings.ts'
import { wasApprovedByTwo } from '#contract/assessments/targets/target-states.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Identity } from '#server/identity/index.ts'
import {
  callerOf,
  decideReopening,
  type Preparation,
  REOPENING_COLUMNS,
  requireUndecided,
  type StoredReopening,
} from '#server/snapshots/reopenings.ts'
import { lockOwnAssessment } from '../assessments/assessment-rows.ts'
import { answererOf } from './answer-scope.ts'
import { countApprovals, readAnsweringUsers } from './approval.ts'
import type { Invitations } from './invitations.ts'
import { readTargetRecord } from './read-target-record.ts'
import { reopenTarget } from './review-target.ts'
import { lockTargetContext, readTargetContext, type TargetContext } from './target-context.ts'
import { composeRequestMails } from './target-reopening-mails.ts'

type Stored = StoredReopening & { targetId: string }
type Person = Pick<Member, 'userId' | 'effectiveUserId'>
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
      for (const mail of mails) {
        // oxlint-disable-next-line no-await-in-loop
        await identity.outbox.put(db, { ...mail, organizationId: target.organizationId })
      }
      return readShown(db, actor, id)
    })
  },

  async confirm({ actor, inTenant, input: { id, reason } }) {
    const by = answererOf(actor)
    const { targetId, reason: asked } = await inTenant(async (db) => {
      const { reopening } = await decide(db, actor, { id, decision: 'confirmed', reason })
      await reopenTarget(db, {
        targetId: reopening.targetId,
        by,
        reason: reopening.reason,
        isConfirmed: true,
      })
      return reopening
    })
    await invitations.mailReturned(inTenant, { targetId, byName: by.name, reason: asked })
    return inTenant((db) => readTargetRecord(db, targetId, by))
  },

  async decline({ db, actor, input: { id, reason } }) {
    await decide(db, actor, { id, decision: 'declined', reason })
    return readShown(db, actor, id)
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

/** @throws Failure 404, 403 if the caller may not decide this, 409 if it was decided */
async function decide(
  db: Database,
  actor: Pick<Member, 'userId' | 'effectiveUserId' | 'fullName'>,
  { id, decision, reason }: Decision,
): Promise<{ reopening: Stored; target: TargetContext }> {
  const [found] = await readReopenings(db, sql`o.id = ${id}`)
  if (found === undefined) throw notFound('Request')
  const target = await lockTargetContext(db, found.targetId)
  // Again, now that no one else can decide.
  const [reopening = found] = await readReopenings(db, sql`o.id = ${id}`)
  requireUndecided(reopening)
  const preparation = await readPreparation(db, target.id)
  await decideReopening(db, actor, {
    table: 'assessment_reopenings',
    reopening,
    preparation,
    decision,
    reason,
  })
  return { reopening, target }
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
