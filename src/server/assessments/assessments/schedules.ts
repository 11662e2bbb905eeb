import { sql } from 'kysely'
import type pg from 'pg'
import { dayAfter } from '#contract/days.ts'
import { type Database, inTenant, type TenantScope } from '#server/database/tenant-transaction.ts'
import { Failure } from '#server/http/failure.ts'
import type { Identity } from '#server/identity/index.ts'
import { readAssessment } from './assessment-rows.ts'
import { copyAssessment, yearLater } from './copy-assessment.ts'
import type { Invitations } from '../targets/invitations.ts'
import { sendReminders } from '../targets/remind-targets.ts'

/** Scheduled emails are sent during working hours in the time zone of the organization. */
const FIRST_HOUR = 8
const LAST_HOUR = 18
/** The draft for the next year is added this many days before it opens. */
const DAYS_BEFORE_OPENING = 30
/** The most people of one call of `sendReminders`. */
const MOST_PEOPLE = 200

type Parts = { queue: pg.Pool; pool: pg.Pool; identity: Identity; invitations: Invitations }
type DueAssessment = {
  customer_id: string
  organization_id: string
  id: string
  reminds: boolean
  repeats: boolean
}
type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/**
 * Sends the reminders that are due, and adds next year's drafts of assessments that repeat. Safe to run at any time and
 * concurrently: each reminder is stored once, and only one server adds a draft.
 * @param queue connection pool that can only read which assessments have reminders or repeat.
 */
export async function runAssessmentSchedules({ queue, pool, identity, invitations }: Parts): Promise<void> {
  const { rows } = await queue.query<DueAssessment>(
    `select customer_id, organization_id, id,
      status = 'open' and (remind_untouched_days is not null or remind_started_days is not null) as reminds,
      recurrence = 'yearly' and status <> 'draft' as repeats
    from assessments where ((status = 'open' and (remind_untouched_days is not null or remind_started_days is not null))
      or (recurrence = 'yearly' and status <> 'draft')) and customer_id <> all((select closed_customers())::bigint[])
      and organization_id <> all((select archived_organizations())::bigint[]) order by customer_id, id`,
  )
  const failed: unknown[] = []
  for (const { customer_id: customerId, organization_id: organizationId, id, reminds, repeats } of rows) {
    const within: Within = (work) => inTenant(pool, scopeOf(customerId, organizationId), work)
    try {
      // One after the other, so that a customer with many assessments doesn't take all connections.
      // oxlint-disable-next-line no-await-in-loop
      if (reminds) await remindOf({ identity, invitations }, within, { customerId, id })
      // oxlint-disable-next-line no-await-in-loop
      if (repeats) await within((db) => addNextYear(db, id))
    } catch (error) {
      // It was closed meanwhile, no one can be emailed, or its questionnaire is retired: there is nothing to do.
      if (!(error instanceof Failure)) failed.push(error)
    }
  }
  if (failed.length > 0)
    throw failed.length === 1
      ? failed[0]
      : new AggregateError(failed, 'Schedules of assessments could not be run.')
}

type Kind = 'untouched' | 'started'
type DueTarget = { id: string; kind: Kind; people: string[]; participants: string[] }

/** Reminds users and people without an account of targets whose deadline for a reminder has come. */
async function remindOf(
  { identity, invitations }: Pick<Parts, 'identity' | 'invitations'>,
  within: Within,
  { customerId, id }: { customerId: string; id: string },
): Promise<void> {
  const due = await within((db) => readDue(db, id))
  for (const kind of ['untouched', 'started'] as const) {
    const targets = due.filter((one) => one.kind === kind)
    for (const ids of chunksOf(targets)) {
      // oxlint-disable-next-line no-await-in-loop
      await sendReminders(identity, within, { customerId, byName: null, kind, ids, message: null })
    }
    const participants = targets.flatMap((one) => one.participants)
    // oxlint-disable-next-line no-await-in-loop
    if (participants.length > 0) await remindParticipants(invitations, within, { ids: participants, kind })
  }
}

/** Targets with people who answer as users, in groups of at most as many people as one call takes. */
function chunksOf(targets: readonly DueTarget[]): string[][] {
  const chunks: string[][] = []
  let people = new Set<string>()
  for (const target of targets.filter((one) => one.people.length > 0)) {
    const together = new Set([...people, ...target.people])
    const last = chunks.at(-1)
    if (last !== undefined && together.size <= MOST_PEOPLE) {
      last.push(target.id)
      people = together
    } else {
      chunks.push([target.id])
      people = new Set(target.people)
    }
  }
  return chunks
}

/**
 * The targets that wait for answers and whose reminder day has come, until they are due: `untouched` without an answer,
 * `started` with one. `people`: users; `participants`: people of the target without an account, who have a link.
 */
async function readDue(db: Database, assessmentId: string): Promise<DueTarget[]> {
  const { rows } = await sql<DueTarget & { dueOn: string; days: number; today: string; hour: number }>`
    select t.id::text, x.kind, x.days, coalesce(t.due_on, a.due_on)::text as due_on, today(o.time_zone)::text as today,
      extract(hour from app_now() at time zone o.time_zone)::int as hour,
      array(select p.user_id::text from assessment_people p where p.customer_id = t.customer_id and p.target_id = t.id
        and p.user_id is not null and p.role in ('owner', 'contributor')) as people,
      array(select p.id::text from assessment_people p
        join assessment_invitations i on i.customer_id = p.customer_id and i.target_id = p.target_id
          and i.participant_id = p.participant_id
        where p.customer_id = t.customer_id and p.target_id = t.id and p.role in ('owner', 'contributor')
          and i.state not in ('submitted', 'revoked')) as participants
    from assessment_targets t
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id and o.archived_at is null
    left join assessment_progress g on g.customer_id = t.customer_id and g.target_id = t.id
    cross join lateral (select case when coalesce(g.answered, 0) = 0 then 'untouched' else 'started' end as kind,
      case when coalesce(g.answered, 0) = 0 then a.remind_untouched_days else a.remind_started_days end as days) x
    where t.assessment_id = ${assessmentId} and a.status = 'open' and a.opens_on <= today(o.time_zone) and x.days is not null
      and t.state in ('not_started', 'in_progress', 'changes_requested')
    order by t.id`.execute(db)
  return rows.filter(
    ({ dueOn, days, today, hour }) =>
      hour >= FIRST_HOUR && hour < LAST_HOUR && today <= dueOn && today >= dayAfter(dueOn, -days),
  )
}

type Participants = { ids: readonly string[]; kind: Kind }

/** Emails new links. Each reminder is stored before its email, so that two servers don't send it twice. */
async function remindParticipants(
  invitations: Invitations,
  within: Within,
  { ids, kind }: Participants,
): Promise<void> {
  const claimed = await within(async (db) => {
    const { rows } = await sql<{ id: string; invitedBy: string | null }>`
      with claimed as (insert into assessment_reminders (organization_id, target_id, assignee_id, kind)
        select p.organization_id, p.target_id, p.id, ${kind} from assessment_people p where p.id = any(${[...ids]}::bigint[])
        on conflict do nothing returning customer_id, target_id, assignee_id)
      select p.id::text, coalesce(i.invited_by, o.name) as invited_by from claimed c
      join assessment_people p on p.customer_id = c.customer_id and p.id = c.assignee_id
      join organizations o on o.customer_id = p.customer_id and o.id = p.organization_id
      left join assessment_invitations i on i.customer_id = p.customer_id and i.target_id = p.target_id
        and i.participant_id = p.participant_id`.execute(db)
    return rows
  })
  if (claimed.length === 0) return
  await invitations.remind(
    within,
    claimed.map(({ id, invitedBy }) => ({ id, byName: invitedBy ?? '' })),
  )
}

/**
 * Adds the draft for the next year when it opens soon. From then on the draft repeats instead, so that it isn't added again
 * after it was deleted.
 */
async function addNextYear(db: Database, id: string): Promise<void> {
  await sql`select from assessments where id = ${id} for update`.execute(db)
  const current = await readAssessment(db, id)
  const { rows } = await sql<{ isDue: boolean; hasNext: boolean; names: string[] }>`
    select today(o.time_zone) >= ${yearLater(current.opensOn)}::date - ${DAYS_BEFORE_OPENING}::int as is_due,
      exists (select from assessments n where n.previous_id = ${id}) as has_next,
      array(select n.name_key from assessments n) as names
    from organizations o where o.id = ${current.organizationId}`.execute(db)
  const [found] = rows
  if (found === undefined || current.recurrence !== 'yearly' || !found.isDue) return
  if (!found.hasNext) await copyAssessment(db, current, nameOfNext(current.name, found.names))
  await sql`update assessments set recurrence = 'none' where id = ${id}`.execute(db)
}

/** "Dealer energy 2026" becomes "Dealer energy 2027". A name that is taken gets a number. */
export function nameOfNext(name: string, taken: readonly string[]): string {
  const next = name.replaceAll(/\b20\d\d\b/g, (year) => String(Number(year) + 1))
  const isTaken = (one: string) => taken.includes(one.toLowerCase())
  if (!isTaken(next)) return next
  for (let at = 2; ; at += 1) {
    const numbered = `${next.slice(0, 110)} (${at})`
    if (!isTaken(numbered)) return numbered
  }
}

const scopeOf = (customerId: string, organizationId: string): TenantScope => ({
  customerId,
  organizationId,
  // Targets can be in other organizations of the customer.
  reach: 'customer',
  actorUserId: null,
  actorName: null,
  effectiveUserId: null,
  effectiveName: null,
  endpoint: 'assessment-schedules',
  isReadOnly: false,
})
