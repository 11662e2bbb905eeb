import { sql } from 'kysely'
import type { BulkResult, Target } from '#contract/assessments/targets/targets.ts'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, noneFound } from '#server/http/failure.ts'
import { findUndeliverable, type Identity, writeToUser } from '#server/identity/index.ts'
import { readAssessment } from '../assessments/assessment-rows.ts'
import { MAY_ANSWER } from './find-unanswerable.ts'
import { readTargets } from './target-rows.ts'

type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type ReminderKind = 'manual' | 'untouched' | 'started'
type Person = Target['people'][number]
type Recipient = { userId: string; targets: { target: Target; assigneeId: string }[] }

/** People aren't reminded of the same target again within this time. */
export const QUIET_HOURS = 12
/** The most people of one request. Each email is rendered in the template worker. */
const MOST_PEOPLE = 200

export type Reminding = Readonly<{
  customerId: string
  /** The sender; null: the schedule. */
  byName: string | null
  kind: ReminderKind
  ids: readonly string[]
  message: string | null
}>

/**
 * Emails owners and contributors of targets that wait for answers, one email per person. Users who were reminded of a target in the
 * last 12 hours are left out.
 * @throws Failure 404 if no target exists, 409 if there is no one to email
 */
export async function remindTargets(
  identity: Identity,
  within: Within,
  { actor, ids, message }: { actor: Member; ids: readonly string[]; message: string | null },
): Promise<BulkResult & { sent: number }> {
  const { customerId, effectiveFullName } = actor
  const result = await sendReminders(identity, within, {
    customerId,
    byName: effectiveFullName,
    kind: 'manual',
    ids,
    message,
  })
  const [first] = result.left
  if (result.sent === 0) throw conflict(first === undefined ? 'There is no one to email.' : first.reason)
  return result
}

/** Like `remindTargets`, but sends nothing if there is no one to email. */
export async function sendReminders(
  identity: Identity,
  within: Within,
  reminding: Reminding,
): Promise<BulkResult & { sent: number }> {
  const { targets, recent } = await within(async (db) => ({
    targets: await readOpenTargets(db, reminding.ids),
    recent: await readRecent(db, reminding),
  }))
  const undeliverable = await findReasons(identity, reminding.customerId, targets)
  const left: BulkResult['left'] = []
  const recipients = new Map<string, Recipient>()
  for (const target of targets) {
    const reasons: string[] = []
    let isReached = false
    for (const person of target.people) {
      const reason = whyNot(target, person, recent, undeliverable)
      if (reason === null && person.userId !== null) {
        isReached = true
        const known = recipients.get(person.userId) ?? { userId: person.userId, targets: [] }
        known.targets.push({ target, assigneeId: person.id })
        recipients.set(person.userId, known)
      } else if (reason !== null && reason !== '') reasons.push(reason)
    }
    if (!isReached)
      left.push({ targetId: target.id, name: target.name, reason: reasons[0] ?? whyNoOne(target) })
  }
  if (recipients.size > MOST_PEOPLE)
    throw conflict(`Select targets of at most ${MOST_PEOPLE} people at a time.`)
  let sent = 0
  for (const recipient of recipients.values()) {
    // Each email is composed outside a transaction, because that takes time.
    // oxlint-disable-next-line no-await-in-loop
    if (await remindUser(identity, within, reminding, recipient)) sent += 1
  }
  const isLeft = new Set(left.map(({ targetId }) => targetId))
  return { sent, left, changed: targets.filter(({ id }) => !isLeft.has(id)).map(({ id }) => id) }
}

async function readOpenTargets(db: Database, ids: readonly string[]): Promise<Target[]> {
  const targets = await readTargets(db, sql`t.id = any(${[...ids]}::bigint[])`)
  if (targets.length === 0) throw noneFound('targets')
  for (const assessmentId of new Set(targets.map((one) => one.assessmentId))) {
    // oxlint-disable-next-line no-await-in-loop
    const { status, name } = await readAssessment(db, assessmentId)
    if (status !== 'open') throw conflict(`${name} is not open, so no one can answer.`)
  }
  return targets
}

/** The people who were reminded of a target recently, or who got this kind of reminder before. */
async function readRecent(db: Database, { ids, kind }: Reminding): Promise<ReadonlySet<string>> {
  const since = new Date(clock.now() - QUIET_HOURS * 3_600_000).toISOString()
  const { rows } = await sql<{ assigneeId: string }>`
    select assignee_id::text from assessment_reminders where target_id = any(${[...ids]}::bigint[])
      and (sent_at > ${since}::timestamptz or (kind = ${kind} and kind <> 'manual'))`.execute(db)
  return new Set(rows.map(({ assigneeId }) => assigneeId))
}

async function findReasons(
  identity: Identity,
  customerId: string,
  targets: readonly Target[],
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>()
  for (const organizationId of new Set(targets.map((one) => one.organizationId))) {
    const userIds = targets
      .filter((one) => one.organizationId === organizationId)
      .flatMap(({ people }) => people.flatMap(({ userId }) => userId ?? []))
    // One statement for each organization.
    // oxlint-disable-next-line no-await-in-loop
    const found = await findUndeliverable(identity, {
      customerId,
      organizationId,
      userIds,
      needs: MAY_ANSWER,
    })
    for (const [userId, reason] of found) reasons.set(`${organizationId}/${userId}`, reason)
  }
  return reasons
}

/** Why a person gets no reminder; '' if they don't answer this target at all. */
function whyNot(
  target: Target,
  person: Person,
  recent: ReadonlySet<string>,
  undeliverable: ReadonlyMap<string, string>,
): string | null {
  if (!isAnswerable(target.state)) return 'The answers were submitted.'
  if (person.role !== 'owner' && person.role !== 'contributor') return ''
  if (person.userId === null) return ''
  if (recent.has(person.id)) return `${person.name} was already reminded.`
  return undeliverable.get(`${target.organizationId}/${person.userId}`) ?? null
}

function whyNoOne({ state }: Target): string {
  return isAnswerable(state) ? 'There is no one to remind.' : 'The answers were submitted.'
}

async function remindUser(
  identity: Identity,
  within: Within,
  { customerId, byName, kind, message }: Reminding,
  { userId, targets }: Recipient,
): Promise<boolean> {
  const [first] = targets
  if (first === undefined) return false
  const names = await within(async (db) => (await readAssessment(db, first.target.assessmentId)).name)
  const mail = await writeToUser(
    identity,
    { customerId, userId },
    {
      key: 'assessment-reminder',
      variables: {
        byName: byName ?? '',
        assessment: names,
        rows: targets.length === 1 ? '1 site' : `${targets.length} sites`,
        due: writeDay(targets.map(({ target }) => target.dueOn).toSorted()[0] ?? ''),
        cells: targets.map(({ target }) => describe(target)).join('\n'),
        message: message ?? '',
      },
      path:
        targets.length === 1
          ? `/assessments/${first.target.assessmentId}/targets/${first.target.id}`
          : `/assessments/${first.target.assessmentId}`,
    },
  )
  if (mail === null) return false
  return within((db) => storeReminder(db, identity, { mail, kind, byName, targets }))
}

function describe({ name, answered, questions, dueOn, isOverdue }: Target): string {
  const due = `${isOverdue ? 'was due' : 'due'} ${writeDay(dueOn)}`
  return `${name}, ${answered} of ${questions} questions answered, ${due}`
}

type Stored = {
  mail: NonNullable<Awaited<ReturnType<typeof writeToUser>>>
  kind: ReminderKind
  byName: string | null
  targets: Recipient['targets']
}

/** Queues the email with its reminders, unless another server just sent the same. */
async function storeReminder(
  db: Database,
  { outbox }: Identity,
  { mail, kind, byName, targets }: Stored,
): Promise<boolean> {
  const [first] = targets
  if (first === undefined) return false
  const added = await db
    .insertInto('assessmentReminders')
    .values(
      targets.map(({ target, assigneeId }) => ({
        organizationId: target.organizationId,
        targetId: target.id,
        assigneeId,
        kind,
        sentBy: byName,
      })),
    )
    .onConflict((on) => on.doNothing())
    .returning('id')
    .execute()
  if (added.length === 0) return false
  const mailId = await outbox.put(db, {
    ...mail,
    organizationId: first.target.organizationId,
    isReminder: true,
  })
  await sql`update assessment_reminders set mail_id = ${mailId} where id = any(${added.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
  return true
}
