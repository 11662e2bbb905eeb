import { sql } from 'kysely'
import type { RoutingDestination, RoutingRule } from '#contract/leads/routing/choose-lead-destinations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** Leads that went to a destination outside the product count as open for at most these days. */
const OPEN_DAYS = 90

/** Whether a lead `l` is someone's work. */
const isOpen = sql<boolean>`l.outcome in ('open', 'contacted', 'appointment') and not l.is_test
  and l.status not in ('duplicate', 'quarantined')`

/** Counts the open leads of the members of teams with a cap of open leads, by user. */
export async function readOpenOfMembers(
  db: Database,
  customerId: string,
  destinations: Iterable<Pick<RoutingDestination, 'members'>>,
): Promise<Readonly<Record<string, number>>> {
  const ids = [...destinations].flatMap(({ members }) =>
    members.flatMap(({ userId, openCap }) => (openCap === null ? [] : [userId])),
  )
  if (ids.length === 0) return {}
  const { rows } = await sql<{ id: string; open: number }>`
    select l.owner_id::text as id, count(*)::int as open from leads l
    where l.customer_id = ${customerId} and l.owner_id = any(${[...new Set(ids)]}::bigint[]) and ${isOpen} group by 1`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ id, open }) => [id, open]))
}

/**
 * Those of the users who may get another lead: in no team do they own as many open leads as they may have. Other leads of the customer wait
 * until the transaction ends, so that two at once don't exceed a cap.
 */
export async function readFree(db: Database, userIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string; cap: number }>`
    select s.share ->> 'userId' as id, min((s.share ->> 'openCap')::int) as cap
    from lead_destinations d cross join jsonb_array_elements(d.member_shares) s (share)
    where d.kind = 'team' and d.is_active and s.share ->> 'openCap' is not null and s.share ->> 'userId' = any(${[...userIds]}::text[])
      and (s.share ->> 'userId')::bigint = any(d.member_ids)
    group by 1`.execute(db)
  if (rows.length === 0) return userIds
  await sql`select from lead_routing_states for update`.execute(db)
  const caps = new Map(rows.map(({ id, cap }) => [id, cap]))
  const { rows: owned } = await sql<{ id: string; open: number }>`
    select l.owner_id::text as id, count(*)::int as open from leads l
    where l.owner_id = any(${[...caps.keys()]}::bigint[]) and ${isOpen} group by 1`.execute(db)
  const open = new Map(owned.map((one) => [one.id, one.open]))
  return userIds.filter((id) => (open.get(id) ?? 0) < (caps.get(id) ?? Infinity))
}

/**
 * Counts the open leads of the destinations among which rules choose by them: for a user those they own, for the others the
 * leads of the last 90 days that were routed there and have no final outcome.
 */
export async function readOpenLeads(
  db: Database,
  customerId: string,
  rules: readonly RoutingRule[],
): Promise<Readonly<Record<string, number>>> {
  const ids = rules.flatMap(({ strategy, targets }) =>
    strategy === 'least-open' ? targets.map(({ destinationId }) => destinationId) : [],
  )
  if (ids.length === 0) return {}
  const { rows } = await sql<{ id: string; open: number }>`
    select d.id::text, case when d.user_id is not null
      then (select count(*)::int from leads l where l.customer_id = d.customer_id and l.owner_id = d.user_id and ${isOpen})
      else (select count(*)::int from lead_routes r join leads l on l.customer_id = r.customer_id and l.id = r.lead_id
        where r.customer_id = d.customer_id and r.at > app_now() - ${OPEN_DAYS} * interval '1 day' and ${isOpen}
          and r.destinations @> jsonb_build_array(jsonb_build_object('destinationId', d.id::text))) end as open
    from lead_destinations d where d.customer_id = ${customerId} and d.id = any(${ids}::bigint[])`.execute(db)
  return Object.fromEntries(rows.map(({ id, open }) => [id, open]))
}
