import { sql } from 'kysely'
import type { LeadStore } from '#contract/leads/inbox/lead-moves.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { isOpenOrganization } from '#server/organizations/index.ts'
import { mayManageLead, ownUserId } from './assign-lead.ts'
import type { LockedLead } from './lock-lead.ts'

/** A store, with the organization that its leads belong to. */
export type ReachedStore = LeadStore & Readonly<{ organizationId: string }>

/**
 * Lets the rest of the transaction see and change all organizations of the customer. Only for work that has checked itself what the
 * user may do, because row level security no longer does.
 */
export async function widenReach(db: Database): Promise<void> {
  await sql`select set_config('app.reach', 'customer', true)`.execute(db)
}

/**
 * The stores to which a user may send a lead: those of its organization and of the other organizations that they belong to, and
 * all of the customer for its manager, for users with access to the whole customer, and for leads that have no store yet. Widens
 * the reach of the transaction.
 */
export async function reachStores(
  db: Database,
  actor: Member,
  lead: Pick<LockedLead, 'organizationId' | 'lotId' | 'needsStore'>,
): Promise<ReachedStore[]> {
  const reachesAll = actor.reach === 'customer' || lead.needsStore || (await mayManageLead(db, lead, actor))
  await widenReach(db)
  const { rows } = await sql<ReachedStore>`
    select l.id::text as lot_id, l.name, o.name as organization_name, l.organization_id::text,
      coalesce(l.id = ${lead.lotId}, false) as is_current
    from lots l join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
    where l.customer_id = ${actor.customerId}
      and ${isOpenOrganization({ customerId: sql.ref('l.customer_id'), organizationId: sql.ref('l.organization_id') })}
      and (${reachesAll} or l.organization_id = ${lead.organizationId} or exists (select from memberships m
        where m.customer_id = l.customer_id and m.organization_id = l.organization_id and m.user_id = ${ownUserId(actor)}))
    order by lower(l.name), l.id`.execute(db)
  return rows
}
