import { sql } from 'kysely'
import { z } from 'zod'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { changedSince } from '#server/queue/job-kind.ts'
import { noteLeadEvents, type NewLeadEvent } from '../events/lead-events.ts'
import { acceptBy, readLeadClock } from './lead-clock.ts'
import type { LockedLead } from './lock-lead.ts'

/** Who works on a lead, when, and what became of it. Moments are in ISO 8601. */
const Work = z.object({
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  assignedAt: z.string().nullable(),
  acceptedAt: z.string().nullable(),
  acceptBy: z.string().nullable(),
  nextOwnerIds: z.array(z.string()),
  outcome: z.enum(['open', 'contacted', 'appointment', 'sold', 'lost']),
  lostReason: z.string().nullable(),
  appointmentAt: z.string().nullable(),
  outcomeAt: z.string().nullable(),
  soldVehicleId: z.string().nullable(),
  snoozedUntil: z.string().nullable(),
  unansweredSince: z.string().nullable(),
  /** The latest entry of its timeline. */
  lastEventId: z.string().nullable(),
})
type Work = z.infer<typeof Work>

/** A lead before a change of many leads, and after it. */
export const WorkBefore = z.object({ state: Work, made: Work })
export type WorkBefore = z.infer<typeof WorkBefore>

/** Reads who works on a lead now. */
export async function readWork(db: Database, id: string): Promise<Work> {
  const { rows } = await sql<Work>`
    select l.owner_id::text, nullif(concat_ws(' ', u.first_name, u.last_name), '') as owner_name, l.assigned_at, l.accepted_at, l.accept_by,
      l.next_owner_ids::text[] as next_owner_ids, l.outcome, l.lost_reason, l.appointment_at, l.outcome_at, l.sold_vehicle_id::text,
      l.snoozed_until, l.unanswered_since,
      (select max(e.id)::text from lead_events e where e.customer_id = l.customer_id and e.lead_id = l.id) as last_event_id
    from leads l left join users u on u.customer_id = l.customer_id and u.id = l.owner_id where l.id = ${id}`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw new Error('A locked lead does not exist.')
  return Work.parse(found)
}

/** No one's work: what deliveries, readers of emails and the clock add. */
const NOT_TOUCHED = ['late', 'delivery', 'opened', 'viewed', 'bounced', 'auto-reply', 'routed'] as const

/**
 * Gives a locked lead back to who worked on it before a change of many leads, as it was then. Time to accept it starts again, and
 * a snooze that is over stays over.
 * @returns why it isn't: someone has worked on it since, or it was passed on; null if it is.
 */
export async function restoreWork(
  db: Database,
  lead: LockedLead,
  { state, made }: WorkBefore,
): Promise<string | null> {
  const now = await readWork(db, lead.id)
  const { rows: touches } = await sql<{ byName: string | null }>`
    select by_name from lead_events where lead_id = ${lead.id} and id > ${made.lastEventId ?? '0'}::bigint
      and kind <> all(${[...NOT_TOUCHED]}::text[]) order by (by_name is null), id desc limit 1`.execute(db)
  const [touch] = touches
  const isAsMade = COMPARED.every((name) => now[name] === made[name])
  if (touch !== undefined || !isAsMade) return changedSince(touch?.byName ?? null)
  const { rows: users } = await sql`select from users where id = ${state.ownerId}`.execute(db)
  if (state.ownerId !== null && users.length === 0)
    return `${state.ownerName ?? 'Its owner'} no longer exists.`
  const at = clock.date()
  const isOver = (time: string | null) => time !== null && Date.parse(time) <= at.getTime()
  const deadline =
    isOver(state.acceptBy) && state.acceptedAt === null
      ? (acceptBy(await readLeadClock(db, lead), at)?.toISOString() ?? null)
      : state.acceptBy
  const { ownerName: _, lastEventId: __, nextOwnerIds, soldVehicleId, ...kept } = state
  await db
    .updateTable('leads')
    .set({
      ...kept,
      acceptBy: deadline,
      nextOwnerIds: sql`${nextOwnerIds}::bigint[]`,
      snoozedUntil: isOver(state.snoozedUntil) ? null : state.snoozedUntil,
      // It may have been deleted since.
      soldVehicleId: sql`(select v.id from vehicles v where v.id = ${soldVehicleId})`,
    })
    .where('id', '=', lead.id)
    .execute()
  await noteLeadEvents(db, lead, whatChangedBack(made, state))
  return null
}

const COMPARED = ['ownerId', 'acceptedAt', 'acceptBy', 'outcome', 'lostReason', 'snoozedUntil'] as const

function whatChangedBack(made: Work, state: Work): NewLeadEvent[] {
  const events: NewLeadEvent[] = []
  if (made.outcome !== state.outcome || made.lostReason !== state.lostReason) {
    const { outcome, lostReason } = state
    events.push({ kind: 'outcome', data: { outcome, lostReason, isUndo: true } })
  }
  if (made.snoozedUntil !== state.snoozedUntil) {
    const { snoozedUntil: until } = state
    events.push(
      until === null
        ? { kind: 'woken', data: { isUndo: true } }
        : { kind: 'snoozed', data: { until, isUndo: true } },
    )
  }
  if (made.ownerId !== state.ownerId) {
    const data = { fromName: made.ownerName, toName: state.ownerName, isUndo: true }
    events.push({ kind: 'assigned', data })
  }
  return events
}
