import { sql } from 'kysely'
import type { LeadOutcome } from '#contract/leads/inbox/lead-list.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, refused } from '#server/http/failure.ts'
import type { NewLeadEvent } from '../events/lead-events.ts'
import { assignLead, ownUserId, readAssignees, requireFree, takenBy } from './assign-lead.ts'
import type { LockedLead } from './lock-lead.ts'
import { acceptBy, readLeadClock } from './lead-clock.ts'
import { requireVehicle } from './require-vehicle.ts'

/** @throws Failure 409 */
export function requireReleased({ status }: LockedLead): void {
  if (status === 'quarantined') throw conflict('Take this lead out of quarantine first.')
}

/**
 * Gives a lead to a user; null removes its owner. @returns what to note in its timeline.
 * @throws Failure 400 if the user can't work on it, 409 if someone else has time to accept it.
 */
export async function giveLead(
  db: Database,
  lead: LockedLead,
  { actor, userId }: { actor: Member; userId: string | null },
): Promise<NewLeadEvent[]> {
  requireReleased(lead)
  await requireFree(db, lead, actor)
  if (userId !== null && userId === ownUserId(actor)) {
    await assignLead(db, lead, takenBy(actor))
    return []
  }
  const user = (await readAssignees(db, lead.organizationId)).find(({ id }) => id === userId)
  if (userId !== null && user === undefined)
    throw refused('Some fields are invalid.', { userId: 'Choose someone who can work on these leads.' })
  if (user !== undefined) {
    await assignLead(db, lead, { userId: user.id, userName: user.name })
    return []
  }
  await db
    .updateTable('leads')
    .set({ ownerId: null, assignedAt: null, acceptedAt: null, acceptBy: null })
    .where('id', '=', lead.id)
    .execute()
  return [{ kind: 'assigned', data: { fromName: lead.ownerName, toName: null } }]
}

/**
 * Hides a lead until a time; null ends that. Snoozing accepts it for the user, unless someone else owns it.
 * @throws Failure 400 for a time in the past, 409 if it is closed.
 */
export async function snoozeLead(
  db: Database,
  lead: LockedLead,
  { actor, until }: { actor: Member; until: string | null },
): Promise<NewLeadEvent[]> {
  requireReleased(lead)
  if (until !== null) requireFuture(until)
  if (until !== null && (lead.outcome === 'sold' || lead.outcome === 'lost'))
    throw conflict('This lead is closed.')
  await db.updateTable('leads').set({ snoozedUntil: until }).where('id', '=', lead.id).execute()
  if (until === null) return lead.snoozedUntil === null ? [] : [{ kind: 'woken' }]
  // Otherwise it would be passed on while it is snoozed.
  const isFree = lead.ownerId === null || lead.ownerId === ownUserId(actor)
  if (lead.acceptedAt === null && isFree) await assignLead(db, lead, takenBy(actor))
  return [{ kind: 'snoozed', data: { until } }]
}

/** @throws Failure 400 */
export function requireFuture(until: string): void {
  if (Date.parse(until) <= clock.now())
    throw refused('Some fields are invalid.', { until: 'Choose a time in the future.' })
}

/** What became of a lead, as it is sent. */
type NewOutcome = Readonly<{
  outcome: LeadOutcome
  lostReason?: string | null | undefined
  appointmentAt?: string | null | undefined
  vehicleId?: string | null | undefined
}>

/** Who gets a closed lead back has time to accept it again; undefined if nothing changes. */
async function newAcceptBy(db: Database, lead: LockedLead): Promise<string | null | undefined> {
  const isWaiting = lead.ownerId !== null && lead.acceptedAt === null && lead.acceptBy !== null
  if (!isWaiting || (lead.outcome !== 'sold' && lead.outcome !== 'lost')) return undefined
  if (Date.parse(lead.acceptBy ?? '') > clock.now()) return undefined
  return acceptBy(await readLeadClock(db, lead), clock.date())?.toISOString() ?? null
}

/** Sets the outcome of a lead. @throws Failure 400 if the vehicle that was sold isn't in stock there. */
export async function setLeadOutcome(
  db: Database,
  lead: LockedLead,
  { outcome, lostReason, appointmentAt, vehicleId }: NewOutcome,
): Promise<NewLeadEvent[]> {
  requireReleased(lead)
  const isLost = outcome === 'lost'
  const sold = outcome === 'sold' ? await soldVehicle(db, lead, vehicleId) : null
  const deadline = outcome === 'open' ? await newAcceptBy(db, lead) : undefined
  await db
    .updateTable('leads')
    .set({
      outcome,
      lostReason: isLost ? (lostReason ?? null) : null,
      soldVehicleId: sold?.id ?? null,
      ...(deadline !== undefined && { acceptBy: deadline }),
      // A sale or a loss after an appointment keeps its time.
      ...((outcome === 'appointment' || outcome === 'open') && {
        appointmentAt: appointmentAt ?? null,
      }),
      outcomeAt: outcome === 'open' ? null : clock.date().toISOString(),
      ...((outcome === 'sold' || isLost) && { snoozedUntil: null, unansweredSince: null }),
    })
    .where('id', '=', lead.id)
    .execute()
  const data = {
    outcome,
    ...(isLost && { lostReason: lostReason ?? null }),
    ...(outcome === 'appointment' && { appointmentAt: appointmentAt ?? null }),
    ...(sold !== null && { vehicleId: sold.id, text: sold.title }),
  }
  return [{ kind: 'outcome', data }]
}

/** The vehicle that the buyer bought: by default the one they asked about. @throws Failure 400 */
async function soldVehicle(
  db: Database,
  lead: LockedLead,
  vehicleId: string | null | undefined,
): Promise<{ id: string; title: string } | null> {
  if (vehicleId === null) return null
  if (vehicleId !== undefined) await requireVehicle(db, { vehicleId, organizationId: lead.organizationId })
  const { rows } = await sql<{ id: string; title: string }>`
    select v.id::text, concat_ws(', ', nullif(concat_ws(' ', v.year, v.make, v.model, v.trim), ''), v.stock) as title
    from leads l join vehicles v on v.customer_id = l.customer_id and v.id = coalesce(${vehicleId ?? null}::bigint, l.vehicle_id)
    where l.id = ${lead.id}`.execute(db)
  return rows[0] ?? null
}
