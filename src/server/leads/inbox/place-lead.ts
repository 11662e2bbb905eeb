import { sql } from 'kysely'
import { z } from 'zod'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { readLeadClock, respondBy } from './lead-clock.ts'
import type { LockedLead } from './lock-lead.ts'
import { giveToOrganization, personAt } from './send-to-store.ts'

export type StoreName = Readonly<{ lotId: string | null; name: string | null }>

/** The store of a lead with its name. */
export async function readStoreName(db: Database, { lotId }: { lotId: string | null }): Promise<StoreName> {
  const lot =
    lotId === null
      ? undefined
      : await db.selectFrom('lots').select('name').where('id', '=', lotId).executeTakeFirst()
  return { lotId, name: lot?.name ?? null }
}

export type StoreTarget = Readonly<{ lotId: string; name: string; organizationId: string }>
export type SentToStore = Readonly<{
  to: StoreTarget
  from: StoreName
  reason: string | null
  /** Null: a rule. */
  by: { userId: string | null; name: string | null } | null
}>

/** Puts a lead into a store, as if it had come in there now. */
export async function placeAt(db: Database, lead: LockedLead, to: StoreTarget): Promise<void> {
  const personId = await personAt(db, lead.personId, { from: lead.organizationId, to: to.organizationId })
  const now = clock.date()
  if (lead.organizationId === to.organizationId)
    await sql`update leads set lot_id = ${to.lotId} where id = ${lead.id} or duplicate_of_id = ${lead.id}`.execute(
      db,
    )
  else await giveToOrganization(db, { leadId: lead.id, personId }, to)
  const leadClock = await readLeadClock(db, to)
  const isLate = lead.waitsUntil !== null && Date.parse(lead.waitsUntil) <= now.getTime()
  await db
    .updateTable('leads')
    .set({
      needsStore: false,
      status: 'received',
      movedAt: now.toISOString(),
      ownerId: null,
      assignedAt: null,
      acceptedAt: null,
      acceptBy: null,
      nextOwnerIds: sql`'{}'::bigint[]`,
      snoozedUntil: null,
      escalatedAt: null,
      // One that is late stays late, and the buyer has waited since the request.
      ...(lead.firstResponseAt === null &&
        !isLate && { respondBy: later(lead.waitsUntil, respondBy(leadClock, new Date(lead.receivedAt))) }),
      // The same vehicle, if it is in the stock of the new store.
      vehicleId: sql`coalesce((select v.id from vehicles v join vehicles seen on seen.customer_id = v.customer_id and seen.vin = v.vin
        where seen.id = leads.vehicle_id and v.organization_id = ${to.organizationId} order by v.id desc limit 1),
        (select v.id from vehicles v where v.organization_id = ${to.organizationId} and leads.vehicle_id is null
          and v.vin = upper(leads.asked_vehicle ->> 'vin') order by v.id desc limit 1), leads.vehicle_id)`,
    })
    .where('id', '=', lead.id)
    .execute()
}

const later = (deadline: string | null, other: Date): string =>
  deadline !== null && Date.parse(deadline) > other.getTime() ? deadline : other.toISOString()

/** What an undo puts back. */
export const LeadBeforeMove = z.object({
  ownerId: z.string().nullable(),
  assignedAt: z.string().nullable(),
  acceptedAt: z.string().nullable(),
  acceptBy: z.string().nullable(),
  nextOwnerIds: z.array(z.string()),
  status: z.enum(['received', 'routed', 'delivered', 'failed', 'quarantined', 'duplicate']),
  snoozedUntil: z.string().nullable(),
  escalatedAt: z.string().nullable(),
  respondBy: z.string().nullable(),
  movedAt: z.string().nullable(),
  vehicleId: z.string().nullable(),
  vehicleTitle: z.string().nullable(),
  needsStore: z.boolean(),
  receivedAt: z.string(),
})
/** Notes a move or a copy, also in the timelines. */
export async function noteMove(
  db: Database,
  lead: LockedLead,
  { to, from, reason, by, copyId }: SentToStore & { copyId: string | null },
): Promise<{ moveId: string }> {
  const { rows } = await sql<{ id: string }>`
    insert into lead_moves (lead_id, original_id, is_copy, from_organization_id, from_lot_id, from_name, from_person_id,
      to_organization_id, to_lot_id, to_name, reason, by_user_id, by_name, before)
    select ${copyId ?? lead.id}, ${copyId === null ? null : lead.id}, ${copyId !== null}, ${lead.organizationId}, ${from.lotId}, ${from.name},
      ${lead.personId}, ${to.organizationId}, ${to.lotId}, ${to.name}, ${reason}, ${by?.userId ?? null}, ${by?.name ?? null},
      jsonb_build_object('ownerId', l.owner_id::text, 'assignedAt', ${instant(sql`l.assigned_at`)}, 'acceptedAt', ${instant(sql`l.accepted_at`)},
        'acceptBy', ${instant(sql`l.accept_by`)}, 'nextOwnerIds', to_jsonb(l.next_owner_ids::text[]), 'status', l.status,
        'snoozedUntil', ${instant(sql`l.snoozed_until`)}, 'escalatedAt', ${instant(sql`l.escalated_at`)},
        'respondBy', ${instant(sql`l.respond_by`)}, 'movedAt', ${instant(sql`l.moved_at`)}, 'vehicleId', l.vehicle_id::text,
        'vehicleTitle', l.vehicle_title, 'needsStore', l.needs_store, 'receivedAt', ${instant(sql`l.received_at`)})
    from leads l where l.id = ${lead.id} returning id::text`.execute(db)
  const moveId = rows[0]?.id ?? ''
  const data = { fromName: from.name, toName: to.name, ...(reason !== null && { text: reason }) }
  const kind = copyId === null ? 'moved' : 'copied'
  const byName = by === null ? { byName: null } : {}
  await noteLeadEvents(db, lead, [
    { kind, ...byName, data: { ...data, ...(copyId !== null && { leadId: copyId }) } },
  ])
  if (copyId !== null)
    await noteLeadEvents(db, { id: copyId, organizationId: to.organizationId }, [
      { kind, ...byName, data: { ...data, leadId: lead.id } },
    ])
  return { moveId }
}
