import { sql } from 'kysely'
import { can, Func, Opr } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import { readFree } from '../routing/open-leads.ts'
import { acceptBy, readLeadClock } from './lead-clock.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { noticeOwner } from './notice-owner.ts'
import type { LockedLead } from './lock-lead.ts'

/** A user who can work on leads of an organization. */
export type Assignee = Readonly<{ id: string; name: string; openLeads: number; isOff: boolean }>

/** The ID of the user as an owner of leads; null for staff of the platform, who are users of another customer. */
export function ownUserId(actor: Member): string | null {
  return actor.effectiveCustomerId === actor.customerId ? actor.effectiveUserId : null
}

/** The user who does something, also while they act as someone else; null for staff of the platform. */
export const actingUserId = (actor: Member): string | null =>
  actor.userCustomerId === actor.customerId ? actor.userId : null

/**
 * A lead that someone else has time to accept is theirs until then. The manager of its lot, and those who set the customer's rules for leads, may take it.
 * @throws Failure 409
 */
export async function requireFree(db: Database, lead: LockedLead, actor: Member): Promise<void> {
  const { ownerId, acceptedAt, acceptBy: until } = lead
  const own = ownUserId(actor)
  const isHeld = ownerId !== null && ownerId !== own && acceptedAt === null && until !== null
  if (!isHeld || Date.parse(until) <= clock.now() || (await mayManageLead(db, lead, actor))) return
  const { zone } = await readLeadClock(db, lead)
  const time = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hour: 'numeric',
    minute: '2-digit',
  }).format(Date.parse(until))
  throw conflict(`${lead.ownerName ?? 'Someone else'} has until ${time} to accept this lead.`)
}
const TAKES_LEADS = can(Func.customerDetails, Opr.update)

/** The manager of the lot of a lead, and those who set the customer's rules for leads. */
export async function mayManageLead(
  db: Database,
  lead: Pick<LockedLead, 'organizationId' | 'lotId'>,
  actor: Member,
): Promise<boolean> {
  if (actor.may(TAKES_LEADS)) return true
  const { managerId } = await readLeadClock(db, lead)
  return managerId !== null && managerId === ownUserId(actor)
}

/** The user who takes a lead. When staff of the platform take one, no one owns it, but it is no longer passed on. */
export function takenBy(actor: Member): { userId: string | null; userName: string; isAccepted: true } {
  return { userId: ownUserId(actor), userName: actor.effectiveFullName, isAccepted: true }
}

/** The users of an organization who may change leads, fewest open leads first. */
export async function readAssignees(db: Database, organizationId: string): Promise<Assignee[]> {
  const { rows } = await sql<Assignee>`
    select u.id::text, concat_ws(' ', u.first_name, u.last_name) as name,
      ${isOffToday} as is_off, (select count(*)::int from leads l where l.customer_id = u.customer_id and l.owner_id = u.id and not l.is_test
        and l.outcome in ('open', 'contacted', 'appointment') and l.status not in ('duplicate', 'quarantined')) as open_leads
    from users u join memberships m on m.customer_id = u.customer_id and m.user_id = u.id
    where m.organization_id = ${organizationId} and u.is_active and ${canWorkOnLeads}
    order by open_leads, name, u.id`.execute(db)
  return rows
}

/** Whether a user `u` may change leads: by their own permissions, otherwise by their user type. */
export const canWorkOnLeads = sql<boolean>`(u.is_super or coalesce(
  (select p.is_allowed from user_permissions p where p.customer_id = u.customer_id and p.user_id = u.id
    and p.func = ${Func.leads.func} and p.opr = ${Opr.update}),
  exists (select from user_type_permissions t where t.customer_id = u.customer_id and t.user_type_id = u.user_type_id
    and t.func = ${Func.leads.func} and t.opr = ${Opr.update})))`

/** Whether a user `u` is off today, in the time zone of the customer. */
export const isOffToday = sql<boolean>`exists (select from lead_absences off join customers oc on oc.id = off.customer_id
  where off.customer_id = u.customer_id and off.user_id = u.id and off.until >= today(oc.time_zone)
    and coalesce(off.from_day <= today(oc.time_zone), true))`

/**
 * Assigns a lead to a user, who has to accept it in time, and notes it in the timeline. If they don't, it goes to the first
 * of `nextOwnerIds`, and after them to the lot's manager. `isAccepted`: they took it themselves.
 */
export async function assignLead(
  db: Database,
  lead: Pick<LockedLead, 'id' | 'organizationId' | 'lotId' | 'ownerName'>,
  to: {
    userId: string | null
    userName: string
    isAccepted?: boolean
    nextOwnerIds?: readonly string[]
    /** Null: the product. Left out: the user of the transaction. */
    byName?: null
  },
): Promise<void> {
  const leadClock = await readLeadClock(db, lead)
  const now = clock.date()
  const isAccepted = to.isAccepted === true
  await db
    .updateTable('leads')
    .set({
      ownerId: to.userId,
      assignedAt: now.toISOString(),
      acceptedAt: isAccepted ? now.toISOString() : null,
      acceptBy: isAccepted ? null : (acceptBy(leadClock, now)?.toISOString() ?? null),
      nextOwnerIds: sql`${[...(to.nextOwnerIds ?? [])]}::bigint[]`,
    })
    .where('id', '=', lead.id)
    .execute()
  if (!isAccepted && to.userId !== null) await noticeOwner(db, lead, { userId: to.userId, kind: 'assigned' })
  await noteLeadEvents(db, lead, [
    {
      kind: isAccepted ? 'accepted' : 'assigned',
      ...(to.byName === null && { byName: null }),
      data: { fromName: lead.ownerName, toName: to.userName },
    },
  ])
}

/** Why no one was told about a late lead. */
function whyUntold({ lotId, ownerId, managerId }: LockedLead & { managerId: string | null }): string {
  if (managerId !== null && managerId === ownerId) return 'Its owner is the manager of the lot.'
  if (managerId !== null) return "No one was told: the manager of its lot can't work on leads."
  return lotId === null ? 'No one was told: it has no store.' : 'No one was told: its lot has no manager.'
}

/** Tells the lot's manager, once, that a lead has no answer at its deadline, whether or not it has an owner. It stays where it is. */
export async function escalateLead(db: Database, lead: LockedLead): Promise<void> {
  const { managerId } = await readLeadClock(db, lead)
  const able = await readAssignees(db, lead.organizationId)
  const manager = able.find(({ id }) => id === managerId && id !== lead.ownerId)
  await db
    .updateTable('leads')
    .set({ escalatedAt: clock.date().toISOString() })
    .where('id', '=', lead.id)
    .execute()
  if (manager !== undefined) await noticeOwner(db, lead, { userId: manager.id, kind: 'late' })
  await noteLeadEvents(db, lead, [
    {
      kind: 'late',
      byName: null,
      data: {
        fromName: lead.ownerName,
        toName: manager?.name ?? null,
        ...(manager === undefined && { text: whyUntold({ ...lead, managerId }) }),
      },
    },
  ])
}

/**
 * Passes on a lead whose owner gave it back or didn't accept it in time: to the next person who can still work on it,
 * otherwise to the lot's manager, otherwise to no one. Who has all the open leads that they may have is passed over.
 */
export async function passOnLead(
  db: Database,
  lead: LockedLead,
  { isTimeout, text }: { isTimeout: boolean; text: string | null },
): Promise<void> {
  const leadClock = await readLeadClock(db, lead)
  const able = await readAssignees(db, lead.organizationId)
  const candidates = await readFree(
    db,
    lead.nextOwnerIds.filter((id) => id !== lead.ownerId && able.some((one) => one.id === id && !one.isOff)),
  )
  const [next] = candidates
  const manager = leadClock.managerId === lead.ownerId ? null : leadClock.managerId
  const target = able.find(({ id }) => id === (next ?? manager))
  const now = clock.date()
  // A manager is the last one: there is no one to pass it on to.
  const deadline = target === undefined || next === undefined ? null : acceptBy(leadClock, now)
  await db
    .updateTable('leads')
    .set({
      ownerId: target?.id ?? null,
      assignedAt: target === undefined ? null : now.toISOString(),
      acceptedAt: null,
      acceptBy: deadline?.toISOString() ?? null,
      nextOwnerIds: sql`${candidates.slice(1)}::bigint[]`,
    })
    .where('id', '=', lead.id)
    .execute()
  if (target !== undefined) await noticeOwner(db, lead, { userId: target.id, kind: 'assigned' })
  await noteLeadEvents(db, lead, [
    {
      kind: next === undefined && target !== undefined ? 'escalated' : 'returned',
      ...(isTimeout && { byName: null }),
      data: {
        fromName: lead.ownerName,
        toName: target?.name ?? null,
        isTimeout,
        ...(text !== null && { text }),
      },
    },
  ])
}
