import { sql } from 'kysely'
import type {
  assessmentTargets,
  BulkResult,
  Target,
  TargetPerson,
  TargetRecord,
} from '#contract/assessments/targets/targets.ts'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden, noneFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Identity } from '#server/identity/index.ts'
import { inOrder, readPage } from '#server/lists/read-list.ts'
import { type Answerer, answererOf } from './answer-scope.ts'
import { countQuestions, startProgress } from './start-progress.ts'
import { lockOwnAssessment, readAssessment } from '../assessments/assessment-rows.ts'
import { readTargetRecord } from './read-target-record.ts'
import type { Invitations } from './invitations.ts'
import { remindTargets } from './remind-targets.ts'
import { approveTarget, reopenTarget, requestChanges, startReview } from './review-target.ts'
import { submitTarget } from './submit-target.ts'
import { lockTargetContext } from './target-context.ts'
import { addPeople, isSamePerson, type NewPerson, readPeople, setPeople } from './target-people.ts'
import { readTargets, targetSource } from './target-rows.ts'

/** Targets of assessments: who is asked, and how far they are. */
export function assessmentTargetHandlers(
  identity: Identity,
  invitations: Invitations,
): Handlers<typeof assessmentTargets> {
  return {
    async list({ db, actor, input: { assessment, ...input } }) {
      const source =
        assessment === undefined
          ? targetSource
          : {
              ...targetSource,
              within: () => sql<boolean>`${targetSource.within(actor)} and t.assessment_id = ${assessment}`,
            }
      if (assessment !== undefined) await readAssessment(db, assessment)
      const { ids, ...counts } = await readPage(db, actor, source, input)
      const targets = ids.length === 0 ? [] : await readTargets(db, sql`t.id = any(${ids}::bigint[])`)
      return { ...counts, results: inOrder(ids, targets) }
    },

    get: ({ db, actor, input }) => readTargetRecord(db, input.id, answererOf(actor)),

    add: ({ db, input }) => addTargets(db, input),

    remove: ({ db, input: { ids } }) => removeTargets(db, ids),

    async setPeople({ db, input }) {
      const { id } = input
      await savePeople(db, input)
      return readPeople(db, id)
    },

    async reassign({ db, input: { ids, userId, participantId, keepsFormer } }) {
      const targets = await lockOwnTargets(db, ids)
      const result = split(targets, (one) => whyNotReassigned(one, { userId, participantId }))
      for (const target of targets.filter(({ id }) => result.changed.includes(id))) {
        // Each target has its own people; there are at most 500.
        // oxlint-disable-next-line no-await-in-loop
        await reassign(db, target, { userId, participantId, keepsFormer })
      }
      return result
    },

    async changeDueDate({ db, input: { ids, dueOn } }) {
      const targets = await lockOwnTargets(db, ids)
      const result = split(targets, ({ state }) =>
        isAnswerable(state) ? null : 'Its answers were submitted, so it is no longer due.',
      )
      if (result.changed.length > 0)
        await db.updateTable('assessmentTargets').set({ dueOn }).where('id', 'in', result.changed).execute()
      return result
    },

    changeSize: ({ db, input }) => changeSize(db, input),

    remind: ({ actor, inTenant, input }) => remindTargets(identity, inTenant, { actor, ...input }),

    async submit({ db, actor, input: { id } }) {
      const by = answererOf(actor)
      await submitTarget(db, { targetId: id, by })
      return readTargetRecord(db, id, by)
    },

    async startReview({ db, actor, input: { id } }) {
      const by = answererOf(actor)
      await startReview(db, { targetId: id, by })
      return readTargetRecord(db, id, by)
    },

    async requestChanges({ actor, inTenant, input: { id, flags } }) {
      const by = answererOf(actor)
      await inTenant((db) => requestChanges(db, { targetId: id, by, flags }))
      return returned(invitations, inTenant, { id, by, reason: null })
    },

    async approve({ db, actor, input: { id, comment } }) {
      if (actor.impersonation !== null)
        throw forbidden("Answers can't be approved while you impersonate another user.")
      const by = answererOf(actor)
      await approveTarget(db, { targetId: id, by, comment: comment ?? null })
      return readTargetRecord(db, id, by)
    },

    async reopen({ actor, inTenant, input: { id, reason } }) {
      const by = answererOf(actor)
      await inTenant(async (db) => {
        const { assessmentId } = await lockTargetContext(db, id)
        await lockOwnAssessment(db, assessmentId)
        await reopenTarget(db, { targetId: id, by, reason })
      })
      return returned(invitations, inTenant, { id, by, reason })
    },
  }
}

/** Emails the people of a target that was returned to them, also those whose delegated part has changes to make. @returns the target */
async function returned(
  { mailReturned }: Invitations,
  inTenant: Parameters<Invitations['mailReturned']>[0],
  { id, by, reason }: { id: string; by: Answerer; reason: string | null },
): Promise<TargetRecord> {
  const record = await inTenant((db) => readTargetRecord(db, id, by))
  await mailReturned(inTenant, { targetId: id, byName: by.name, reason, delegates: flaggedDelegates(record) })
  return record
}

/** The people to whom a question was delegated in which a reviewer asks for a change. */
function flaggedDelegates({ flags, delegations, definition }: TargetRecord): string[] {
  const flagged = new Set(
    flags.filter(({ resolvedAt }) => resolvedAt === null).map(({ questionCode }) => questionCode),
  )
  const sections = definition.sections.filter(({ questions }) =>
    questions.some(({ code }) => flagged.has(code)),
  )
  return delegations
    .filter(
      ({ questionCode, sectionId }) =>
        (questionCode !== null && flagged.has(questionCode)) || sections.some(({ id }) => id === sectionId),
    )
    .map(({ assigneeId }) => assigneeId)
}

/** Gives targets a company size of their own, and counts what is required again. */
async function changeSize(
  db: Database,
  { ids, size }: Received<typeof assessmentTargets.changeSize>,
): Promise<BulkResult> {
  const targets = await lockOwnTargets(db, ids)
  const result = split(targets, ({ state }) =>
    isAnswerable(state)
      ? null
      : 'Its answers were complete under its company size. Reopen it to change that.',
  )
  if (result.changed.length === 0) return result
  await db.updateTable('assessmentTargets').set({ size }).where('id', 'in', result.changed).execute()
  const { rows } = await sql<{ id: string }>`
    select t.id::text from assessment_targets t join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    where t.id = any(${result.changed}::bigint[]) and a.status = 'open' order by t.id`.execute(db)
  for (const { id } of rows) {
    // Each target has its own answers; there are at most 500.
    // oxlint-disable-next-line no-await-in-loop
    await countQuestions(db, id)
  }
  return result
}

/** Adds targets with their people. One that is already there is left out. */
export async function addTargets(
  db: Database,
  { assessmentId, targets }: Received<typeof assessmentTargets.add>,
): Promise<BulkResult> {
  const { status } = await lockOwnAssessment(db, assessmentId)
  if (status === 'closed') throw conflict('Reopen the assessment to add targets.')
  const places = await requirePlaces(db, targets)
  const result: BulkResult = { changed: [], left: [] }
  for (const [at, { organizationId, facilityId, people }] of targets.entries()) {
    // Each target has its own people; there are at most 500.
    // oxlint-disable-next-line no-await-in-loop
    const { rows } = await sql<{ id: string }>`
      insert into assessment_targets (organization_id, assessment_id, facility_id)
      values (${organizationId}, ${assessmentId}, ${facilityId}) on conflict do nothing returning id::text`.execute(
      db,
    )
    const [added] = rows
    if (added === undefined) {
      // oxlint-disable-next-line no-await-in-loop
      const { rows: there } = await sql<{ id: string }>`
        select id::text from assessment_targets where assessment_id = ${assessmentId} and organization_id = ${organizationId}
          and facility_id is not distinct from ${facilityId}::bigint`.execute(db)
      result.left.push({
        targetId: there[0]?.id ?? '',
        name: places[at] ?? '',
        reason: 'It is already a target of this assessment.',
      })
      continue
    }
    // oxlint-disable-next-line no-await-in-loop
    await addPeople(db, [{ id: added.id, organizationId }], people)
    result.changed.push(added.id)
  }
  if (status === 'open') await startProgress(db, assessmentId)
  return result
}

/** The names of organizations and facilities. @throws Failure 400 if one is unknown or out of reach */
async function requirePlaces(
  db: Database,
  targets: readonly { organizationId: string; facilityId: string | null }[],
): Promise<string[]> {
  const { rows } = await sql<{ at: number; name: string }>`
    select x.at::int, coalesce(f.name, o.name) as name
    from jsonb_to_recordset(${JSON.stringify(targets.map((one, at) => ({ ...one, at })))}::jsonb)
      as x(at int, "organizationId" bigint, "facilityId" bigint)
    join organizations o on o.id = x."organizationId"
    left join facilities f on f.customer_id = o.customer_id and f.organization_id = o.id and f.id = x."facilityId"
    where (f.id is not null or x."facilityId" is null)
      and (current_setting('app.reach', true) = 'customer'
        or o.id = nullif(current_setting('app.organization_id', true), '')::bigint)
    order by x.at`.execute(db)
  if (rows.length < targets.length)
    throw refused('Some fields are invalid.', {
      targets: 'Choose organizations and facilities that you have access to.',
    })
  return rows.map(({ name }) => name)
}

/** Locks targets whose assessments the caller may change. @throws Failure 404 if none exists, 403 */
export async function lockOwnTargets(db: Database, ids: readonly string[]): Promise<Target[]> {
  await sql`select from assessment_targets where id = any(${ids}::bigint[]) order by id for update`.execute(
    db,
  )
  const targets = await readTargets(db, sql`t.id = any(${ids}::bigint[])`)
  if (targets.length === 0) throw noneFound('targets')
  for (const assessmentId of new Set(targets.map((one) => one.assessmentId))) {
    // oxlint-disable-next-line no-await-in-loop
    await lockOwnAssessment(db, assessmentId)
  }
  return targets.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}

function split(targets: readonly Target[], whyNot: (target: Target) => string | null): BulkResult {
  const result: BulkResult = { changed: [], left: [] }
  for (const target of targets) {
    const reason = whyNot(target)
    if (reason === null) result.changed.push(target.id)
    else result.left.push({ targetId: target.id, name: target.name, reason })
  }
  return result
}

/**
 * @throws Failure 400 for an unknown user or participant, 403 if another organization runs the assessment, 404, 409 with the
 * people if they were changed since they were read
 */
async function savePeople(
  db: Database,
  { id, people, known }: Received<typeof assessmentTargets.setPeople>,
): Promise<void> {
  const target = await lockTargetContext(db, id)
  await lockOwnAssessment(db, target.assessmentId)
  const current = await readPeople(db, id)
  if (known !== undefined && !isSameList(current, known)) throw stale('This list of people', current)
  const delegates = current.filter(({ isDelegate }) => isDelegate)
  await setPeople(
    db,
    target,
    people.map((person) => keepDelegate(person, delegates)),
  )
}

function isSameList(current: readonly TargetPerson[], known: readonly NewPerson[]): boolean {
  return (
    current.length === known.length &&
    current.every((one) => known.some((other) => isSamePerson(one, other) && one.role === other.role))
  )
}

/** Someone who answers only what is delegated to them stays a delegate as long as they are a contributor. */
function keepDelegate(person: NewPerson, delegates: readonly TargetPerson[]): NewPerson {
  const isDelegate = person.role === 'contributor' && delegates.some((one) => isSamePerson(one, person))
  return { ...person, isDelegate }
}

type NewOwner = { userId: string | undefined; participantId: string | undefined }

function whyNotReassigned({ state, people }: Target, to: NewOwner): string | null {
  if (!isAnswerable(state)) return 'Its answers were submitted.'
  const owner = people.find(({ role }) => role === 'owner')
  return owner !== undefined && isSamePerson(owner, to) ? 'They already own it.' : null
}

async function reassign(
  db: Database,
  target: Target,
  { keepsFormer, ...to }: NewOwner & { keepsFormer: boolean },
): Promise<void> {
  const others = target.people.filter((one) => !isSamePerson(one, to))
  const people = others.flatMap((one) => {
    const { role, isDelegate } = one
    const person = {
      ...(one.userId !== null && { userId: one.userId }),
      ...(one.participantId !== null && { participantId: one.participantId }),
      isDelegate,
    }
    if (role !== 'owner') return [{ ...person, role }]
    return keepsFormer ? [{ ...person, role: 'contributor' as const }] : []
  })
  await setPeople(db, target, [{ ...to, role: 'owner' }, ...people])
}

/** Removes targets that were never answered or submitted, and says why the others stay. */
async function removeTargets(db: Database, ids: readonly string[]): Promise<BulkResult> {
  const targets = await lockOwnTargets(db, ids)
  const { rows } = await sql<{ id: string }>`
    select distinct target_id::text as id from assessment_answers where target_id = any(${ids}::bigint[])
    union select target_id::text from assessment_snapshots where target_id = any(${ids}::bigint[])`.execute(
    db,
  )
  const answered = new Set(rows.map(({ id }) => id))
  const result = split(targets, ({ id }) => (answered.has(id) ? 'It has answers, or was submitted.' : null))
  if (result.changed.length > 0) {
    await db.deleteFrom('assessmentTargets').where('id', 'in', result.changed).execute()
  }
  return result
}
