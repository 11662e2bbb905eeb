import { sql } from 'kysely'
import type { RoutingRule } from '#contract/leads/routing/choose-lead-destinations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** Leads that went to a destination outside the product count as open for at most these days. */
const OPEN_DAYS = 90

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
  const isOpen = sql`l.outcome in ('open', 'contacted', 'appointment') and not l.is_test
    and l.status not in ('duplicate', 'quarantined')`
  const { rows } = await sql<{ id: string; open: number }>`
    select d.id::text, case when d.user_id is not null
      then (select count(*)::int from leads l where l.customer_id = d.customer_id and l.owner_id = d.user_id and ${isOpen})
      else (select count(*)::int from lead_routes r join leads l on l.customer_id = r.customer_id and l.id = r.lead_id
        where r.customer_id = d.customer_id and r.at > app_now() - ${OPEN_DAYS} * interval '1 day' and ${isOpen}
          and r.destinations @> jsonb_build_array(jsonb_build_object('destinationId', d.id::text))) end as open
    from lead_destinations d where d.customer_id = ${customerId} and d.id = any(${ids}::bigint[])`.execute(db)
  return Object.fromEntries(rows.map(({ id, open }) => [id, open]))
}
