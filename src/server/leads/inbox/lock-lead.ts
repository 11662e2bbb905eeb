import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { stale } from '#server/http/failure.ts'
import { missingLead } from './missing-lead.ts'
import { readLead } from './read-lead.ts'

/** A lead that this transaction changes. Moments are in ISO 8601. */
export type LockedLead = Readonly<{
  id: string
  organizationId: string
  lotId: string | null
  /** Its store isn't known yet. */
  needsStore: boolean
  personId: string
  status: 'received' | 'routed' | 'delivered' | 'failed' | 'quarantined' | 'duplicate'
  outcome: 'open' | 'contacted' | 'appointment' | 'sold' | 'lost'
  isTest: boolean
  ownerId: string | null
  ownerName: string | null
  acceptedAt: string | null
  acceptBy: string | null
  nextOwnerIds: string[]
  receivedAt: string
  releasedAt: string | null
  /** When it came to its present store from another one. */
  movedAt: string | null
  /** It is a copy of a lead of another store. */
  isCopy: boolean
  firstResponseAt: string | null
  firstResponseMessageId: string | null
  snoozedUntil: string | null
  /** The deadline of its first response, while it waits for that. */
  waitsUntil: string | null
  escalatedAt: string | null
  version: number
}>

/**
 * Reads a lead and makes other changes of it wait for this transaction. `personId` is the person it is shown with.
 * @throws Failure 404; 409 with the current lead if it has another version.
 */
export async function lockLead(db: Database, id: string, version?: number): Promise<LockedLead> {
  const { rows } = await sql<LockedLead>`
    select l.id::text, l.organization_id::text, l.lot_id::text, l.needs_store, coalesce(p.merged_into_id, p.id)::text as person_id, l.status,
      l.outcome, l.is_test, l.owner_id::text, nullif(concat_ws(' ', u.first_name, u.last_name), '') as owner_name,
      l.accepted_at, l.accept_by, l.next_owner_ids::text[] as next_owner_ids, l.received_at, l.released_at, l.moved_at, l.first_response_at,
      exists (select from lead_moves c where c.customer_id = l.customer_id and c.lead_id = l.id and c.is_copy) as is_copy,
      l.first_response_message_id::text, l.snoozed_until, l.waits_until, l.escalated_at, l.version
    from leads l join people p on p.customer_id = l.customer_id and p.id = l.person_id
    left join users u on u.customer_id = l.customer_id and u.id = l.owner_id
    where l.id = ${id} for update of l`.execute(db)
  const [lead] = rows
  if (lead === undefined) throw await missingLead(db, id)
  if (version !== undefined && lead.version !== version) throw stale('This lead', await readLead(db, id))
  return lead
}
