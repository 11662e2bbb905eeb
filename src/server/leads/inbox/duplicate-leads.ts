import { sql } from 'kysely'
import type { LeadType } from '#contract/leads/inbox/lead-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { noticeOwner } from './notice-owner.ts'

/** Another lead of the same person about the same vehicle within these days is a duplicate. */
const DUPLICATE_DAYS = 30
/** Without a vehicle, the same person may well ask about something else the next day. */
const DUPLICATE_HOURS_WITHOUT_VEHICLE = 24

/**
 * The first open lead of the same person about the same vehicle. Of vehicles that aren't in stock, the VIN decides, then the stock
 * number, then the title: two cars can have one title, and a buyer may ask two stores about the same model. `personId`: the one it
 * is shown with.
 */
export async function findFirstLead(
  db: Database,
  lead: Readonly<{
    personId: string
    lotId: string | null
    vehicleId: string | null
    vehicleTitle: string | null
    /** As the buyer named the vehicle. */
    vin: string | null
    stock: string | null
    type: LeadType
    /** ISO 8601. */
    receivedAt: string
  }>,
): Promise<string | null> {
  const { personId, lotId, vehicleId, vehicleTitle: title, vin, stock, type, receivedAt } = lead
  const asked = (name: string) => sql`nullif(l.asked_vehicle ->> ${sql.lit(name)}, '')`
  const isSameVehicle = sql`l.vehicle_id is null and case
      when ${vin}::text is not null and ${asked('vin')} is not null then upper(${asked('vin')}) = upper(${vin})
      when ${stock}::text is not null and ${asked('stock')} is not null then lower(${asked('stock')}) = lower(${stock})
      else lower(l.vehicle_title) = lower(${title}) end`
  const isNamed = sql`(${title}::text is not null or ${vin}::text is not null or ${stock}::text is not null)`
  const { rows } = await sql<{ id: string }>`
    with theirs as materialized (select * from leads where person_id = any (${recordsOfPerson(personId)}))
    select l.id::text from theirs l where l.duplicate_of_id is null and not l.is_test
      and l.status <> 'quarantined' and l.outcome in ('open', 'contacted', 'appointment')
      and l.received_at <= ${receivedAt}
      and case when ${vehicleId}::bigint is not null then l.vehicle_id = ${vehicleId}
          and l.received_at > ${receivedAt}::timestamptz - ${DUPLICATE_DAYS} * interval '1 day'
        when l.lot_id <> ${lotId}::bigint then false
        when ${isNamed} then ${isSameVehicle}
          and l.received_at > ${receivedAt}::timestamptz - ${DUPLICATE_DAYS} * interval '1 day'
        else l.vehicle_id is null and l.vehicle_title is null
          and ${asked('vin')} is null and ${asked('stock')} is null and l.type = ${type}
          and l.received_at > ${receivedAt}::timestamptz
            - ${DUPLICATE_HOURS_WITHOUT_VEHICLE} * interval '1 hour' end
    order by l.received_at, l.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Notes a duplicate in both timelines. The buyer asked again, so that the first lead waits for an answer. */
export async function noteDuplicate(
  db: Database,
  lead: Readonly<{ id: string; organizationId: string; sourceName: string; comments: string | null }>,
  { firstId, at }: { firstId: string; at: string },
): Promise<void> {
  const { id, organizationId, sourceName, comments } = lead
  await noteLeadEvents(db, { id, organizationId }, [
    { kind: 'duplicate', at, byName: null, data: { leadId: firstId } },
  ])
  await noteLeadEvents(db, { id: firstId, organizationId }, [
    { kind: 'duplicate', at, byName: null, data: { leadId: id, sourceName, text: comments ?? '' } },
  ])
  // An answered lead waits for an answer again, and a snoozed one comes back.
  const first = await db
    .updateTable('leads')
    .set({
      snoozedUntil: null,
      unansweredSince: sql`case when first_response_at is null then unanswered_since else coalesce(unanswered_since, ${at}) end`,
    })
    .where('id', '=', firstId)
    .returning(['id', 'organizationId', 'ownerId'])
    .executeTakeFirst()
  if (first?.ownerId != null) await noticeOwner(db, first, { userId: first.ownerId, kind: 'reply' })
}
