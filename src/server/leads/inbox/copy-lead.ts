import { sql } from 'kysely'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readLeadClock, respondBy } from './lead-clock.ts'
import type { LockedLead } from './lock-lead.ts'
import { copySource, personAt } from './send-to-store.ts'
import { noteLeadEvents } from '../events/lead-events.ts'

/**
 * Copies what a buyer sent to another store, which works on it on its own: a lead without owner, conversation and answers, whose
 * deadline starts now. The transaction must reach both organizations.
 * @returns the ID of the copy.
 */
export async function copyLead(
  db: Database,
  lead: LockedLead,
  to: { organizationId: string; lotId: string },
): Promise<string> {
  const personId = await personAt(db, lead.personId, { from: lead.organizationId, to: to.organizationId })
  const now = clock.date()
  const deadline = respondBy(await readLeadClock(db, to), now).toISOString()
  const { rows } = await sql<{
    id: string
    sourceId: string | null
    sourceName: string
    sourceKind: string
    receivedAt: string
  }>`
    insert into leads (organization_id, lot_id, person_id, type, source_kind, source_name, vehicle_id, vehicle_title,
      vehicle_price_cents, asked_vehicle, trade_in, comments, campaign, page_url, referrer, language, status, is_test, document,
      source_details, contact_keys, requested_at, received_at, moved_at, respond_by, source_id)
    select ${to.organizationId}, ${to.lotId}, ${personId}, l.type, l.source_kind, l.source_name, coalesce((select v.id from vehicles v
        join vehicles seen on seen.customer_id = v.customer_id and seen.vin = v.vin
        where seen.id = l.vehicle_id and v.organization_id = ${to.organizationId} order by v.id desc limit 1), l.vehicle_id),
      l.vehicle_title, l.vehicle_price_cents, l.asked_vehicle, l.trade_in, l.comments, l.campaign, l.page_url, l.referrer,
      l.language, 'received', l.is_test, l.document, l.source_details, l.contact_keys, l.requested_at, ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz, ${deadline}::timestamptz, l.source_id
    from leads l where l.id = ${lead.id} returning id::text, source_id::text, source_name, source_kind, received_at`.execute(
    db,
  )
  const [copy] = rows
  if (copy === undefined) throw new Error('The lead that is copied does not exist.')
  if (lead.organizationId !== to.organizationId && copy.sourceId !== null) {
    const { rows: others } =
      await sql`select from leads o where o.source_id = ${copy.sourceId} and o.id not in (${copy.id}, ${lead.id})`.execute(
        db,
      )
    // A text with leads of several buyers is not shown to another store.
    const sourceId = others.length > 0 ? null : await copySource(db, copy.sourceId, to.organizationId)
    await db.updateTable('leads').set({ sourceId }).where('id', '=', copy.id).execute()
  }
  const { sourceName, sourceKind } = copy
  await noteLeadEvents(db, { id: copy.id, organizationId: to.organizationId }, [
    { kind: 'received', byName: null, data: { sourceName, sourceKind, warnings: 0 } },
  ])
  return copy.id
}
