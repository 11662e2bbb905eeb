import { sql } from 'kysely'
import {
  NEW_CURSOR,
  type RoutingCursor,
  type RoutingDestination,
  type RoutingRule,
  type RoutingStore,
} from '#contract/leads/routing/choose-lead-destinations.ts'
import { type LeadRoutingRule, leadRoutingRuleRecord } from '#contract/leads/routing/lead-routing-rules.ts'
import type { TeamMember } from '#contract/leads/routing/next-member.ts'
import { Holidays, OpeningHours } from '#contract/opening-hours.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { canWorkOnLeads, isOffToday } from '../inbox/assign-lead.ts'

const textsOf = (column: 'lot_ids' | 'form_ids') =>
  sql`array(select x::text from unnest(lead_routing_rules.${sql.ref(column)}) x)`

export const leadRuleColumns = columnMap(leadRoutingRuleRecord, 'leadRoutingRules', {
  id: 'id',
  lotIds: textsOf('lot_ids'),
  storeId: 'id',
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

/** A destination, with the user who becomes the owner. `organizationIds`: where a user works. */
export type StoredDestination = Omit<RoutingDestination, 'members'> &
  Readonly<{
    userId: string | null
    organizationIds: readonly string[]
    members: readonly (TeamMember & Readonly<{ organizationIds: readonly string[] }>)[]
  }>

const organizationsOf = sql`array(select m.organization_id::text from memberships m
  where m.customer_id = u.customer_id and m.user_id = u.id)`

/** The destinations by ID. */
export async function readDestinations(
  db: Database,
  customerId: string,
): Promise<ReadonlyMap<string, StoredDestination>> {
  const { rows } = await sql<StoredDestination>`
    select d.id::text, case when d.kind = 'user' then coalesce(concat_ws(' ', u.first_name, u.last_name), d.name) else d.name end as name,
      d.kind, d.is_active and (d.kind <> 'user' or coalesce(u.is_active, false)) as is_active,
      s.stopped_at is not null as is_circuit_open, d.daily_cap, d.user_id::text, ${organizationsOf} as organization_ids,
      d.kind = 'user' and coalesce(${isOffToday}, false) as is_off, case when d.kind <> 'team' then '[]' else (
        select coalesce(json_agg(json_build_object('userId', u.id::text, 'name', concat_ws(' ', u.first_name, u.last_name),
          'isOff', ${isOffToday}, 'organizationIds', ${organizationsOf}, 'weight', coalesce((s.share -> 'weight')::int, 1),
          'openCap', s.share -> 'openCap', 'dailyCap', s.share -> 'dailyCap') order by t.place), '[]')
        from unnest(d.member_ids) with ordinality t (id, place)
        left join jsonb_array_elements(d.member_shares) s (share) on (s.share ->> 'userId')::bigint = t.id
        join users u on u.customer_id = d.customer_id and u.id = t.id and u.is_active and ${canWorkOnLeads}) end as members
    from lead_destinations d
    left join lead_destination_states s on s.customer_id = d.customer_id and s.destination_id = d.id
    left join users u on u.customer_id = d.customer_id and u.id = d.user_id
    where d.customer_id = ${customerId}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export type StoredSetup = Readonly<{
  rules: readonly RoutingRule[]
  destinations: ReadonlyMap<string, StoredDestination>
  stores: ReadonlyMap<string, StoredStore>
}>

/** A store that rules send leads to. */
export type StoredStore = Omit<RoutingStore, 'destinations'> &
  Readonly<{ lotId: string; organizationId: string }>

/** The rules and destinations of the customer. */
export async function readSetup(db: Database, customerId: string): Promise<StoredSetup> {
  const rules = await readRules(db, customerId)
  return {
    rules,
    destinations: await readDestinations(db, customerId),
    stores: await readStores(db, customerId, rules),
  }
}

/** The stores that rules send leads to, unless their organization is archived. */
export async function readStores(
  db: Database,
  customerId: string,
  rules: readonly RoutingRule[],
): Promise<ReadonlyMap<string, StoredStore>> {
  const ids = rules.flatMap(({ storeId }) => storeId ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Omit<StoredStore, 'hours' | 'holidays'> & { hours: unknown; holidays: unknown }>`
    select l.id::text as lot_id, l.name, l.organization_id::text, l.hours, l.holidays,
      coalesce(l.time_zone, o.time_zone, c.time_zone) as zone
    from lots l join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id join customers c on c.id = l.customer_id
    where l.customer_id = ${customerId} and l.id = any (${ids}::bigint[]) and o.archived_at is null`.execute(
    db,
  )
  return new Map(
    rows.map((row) => [
      row.lotId,
      { ...row, hours: OpeningHours.parse(row.hours), holidays: Holidays.parse(row.holidays) },
    ]),
  )
}

/**
 * The setup for leads of an organization: users who don't work there are not available, because they could not see its leads.
 */
export function setupFor(setup: StoredSetup, organizationId: string): SetupOfStore {
  const stores = [...setup.stores].map(
    ([id, store]) => [id, { ...store, destinations: destinationsFor(setup, store.organizationId) }] as const,
  )
  return { ...setup, destinations: destinationsFor(setup, organizationId), stores: new Map(stores) }
}

export type SetupOfStore = Omit<StoredSetup, 'stores'> &
  Readonly<{
    stores: ReadonlyMap<string, StoredStore & Readonly<{ destinations: StoredSetup['destinations'] }>>
  }>

function destinationsFor(setup: StoredSetup, organizationId: string): StoredSetup['destinations'] {
  return new Map(
    [...setup.destinations].map(([id, one]) => {
      const isElsewhere = one.kind === 'user' && !one.organizationIds.includes(organizationId)
      const members = one.members.filter((member) => member.organizationIds.includes(organizationId))
      return [id, { ...one, members, isActive: one.isActive && !isElsewhere }] as const
    }),
  )
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
