import { sql } from 'kysely'
import {
  NEW_CURSOR,
  type RoutingCursor,
  type RoutingDestination,
  type RoutingRule,
} from '#contract/leads/routing/choose-lead-destinations.ts'
import { type LeadRoutingRule, leadRoutingRuleRecord } from '#contract/leads/routing/lead-routing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { columnMap } from '#server/lists/column-map.ts'

const textsOf = (column: 'lot_ids' | 'form_ids') =>
  sql`array(select x::text from unnest(lead_routing_rules.${sql.ref(column)}) x)`

export const leadRuleColumns = columnMap(leadRoutingRuleRecord, 'leadRoutingRules', {
  id: 'id',
  lotIds: textsOf('lot_ids'),
  formIds: textsOf('form_ids'),
  targets: 'json',
  number: sql`(select count(*)::int from lead_routing_rules o where o.customer_id = lead_routing_rules.customer_id
    and (o.is_catch_all, o.position, o.id) <= (lead_routing_rules.is_catch_all, lead_routing_rules.position, lead_routing_rules.id))`,
  updatedAt: 'instant',
})

/** The rules of the customer in the order in which they are tried. */
export async function readRules(db: Database, customerId: string): Promise<LeadRoutingRule[]> {
  const { rows } = await sql<LeadRoutingRule>`select ${leadRuleColumns.select} from lead_routing_rules
    where customer_id = ${customerId} order by is_catch_all, position, id`.execute(db)
  return leadRoutingRuleRecord.schema.array().parse(rows)
}

/** A destination, with the user who becomes the owner. */
export type StoredDestination = RoutingDestination & Readonly<{ userId: string | null }>

/** The destinations by ID. */
export async function readDestinations(
  db: Database,
  customerId: string,
): Promise<ReadonlyMap<string, StoredDestination>> {
  const { rows } = await sql<StoredDestination>`
    select d.id::text, case when d.kind = 'user' then coalesce(concat_ws(' ', u.first_name, u.last_name), d.name) else d.name end as name,
      d.kind, d.is_active and (d.kind <> 'user' or coalesce(u.is_active, false)) as is_active,
      s.stopped_at is not null as is_circuit_open, d.daily_cap, d.user_id::text
    from lead_destinations d
    left join lead_destination_states s on s.customer_id = d.customer_id and s.destination_id = d.id
    left join users u on u.customer_id = d.customer_id and u.id = d.user_id
    where d.customer_id = ${customerId}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export type StoredSetup = Readonly<{
  rules: readonly RoutingRule[]
  destinations: ReadonlyMap<string, StoredDestination>
}>

/** The rules and destinations of the customer. */
export async function readSetup(db: Database, customerId: string): Promise<StoredSetup> {
  return { rules: await readRules(db, customerId), destinations: await readDestinations(db, customerId) }
}

/**
 * The setup for leads of an organization: users who don't work there are not available, because they could not see its leads.
 */
export async function setupFor(
  db: Database,
  setup: StoredSetup,
  organizationId: string,
): Promise<StoredSetup> {
  const users = [...setup.destinations.values()].filter(({ kind }) => kind === 'user')
  if (users.length === 0) return setup
  const ids = users.map(({ userId }) => userId)
  const { rows } = await sql<{ id: string }>`
    select distinct user_id::text as id from memberships
    where organization_id = ${organizationId} and user_id = any(${ids}::bigint[])`.execute(db)
  const here = new Set(rows.map(({ id }) => id))
  const destinations = new Map(
    [...setup.destinations].map(([id, one]) => {
      const isElsewhere = one.kind === 'user' && !here.has(one.userId ?? '')
      return [id, isElsewhere ? { ...one, isActive: false } : one] as const
    }),
  )
  return { ...setup, destinations }
}

/**
 * Reads who is next, with the day by which daily caps count, and locks it until the transaction ends. `isLocked`: false for a
 * test, which moves nothing.
 */
export async function lockCursor(
  db: Database,
  customerId: string,
  { isLocked }: { isLocked: boolean } = { isLocked: true },
): Promise<{ cursor: RoutingCursor; day: string }> {
  const { rows } = await sql<{ cursor: RoutingCursor; day: string }>`
    select s.cursor, today(c.time_zone)::text as day from lead_routing_states s join customers c on c.id = s.customer_id
    where s.customer_id = ${customerId} ${isLocked ? sql`for update of s` : sql``}`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The customer has no routing state.')
  return { ...found, cursor: { ...NEW_CURSOR, ...found.cursor } }
}
