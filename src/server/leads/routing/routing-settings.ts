import { sql, type RawBuilder } from 'kysely'
import { LeadRoutingSettings } from '#contract/leads/routing/lead-routing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { canWorkOnLeads } from '../inbox/assign-lead.ts'

/** How many values of a field are proposed, and of how many of the latest rows they are taken. */
const MAX_PROPOSED = 200
const READ_ROWS = 20_000

/**
 * What rules and destinations can refer to, within the caller's reach, and whether the caller may change them. Values of leads
 * and vehicles are proposals, the most frequent first: rules may name others.
 */
export async function readRoutingSettings(
  db: Database,
  { customerId, reach }: Member,
): Promise<LeadRoutingSettings> {
  const named = (from: RawBuilder<unknown>) =>
    sql`(select coalesce(jsonb_agg(jsonb_build_object('id', x.id::text, 'name', x.name) order by lower(x.name), x.id), '[]')
      from (${from}) x)`
  const values = (table: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`(select coalesce(jsonb_agg(y.value order by y.rows desc, y.value), '[]') from (
      select x.value, count(*) as rows from (select ${value} as value from ${table} t
        where t.customer_id = ${customerId} order by t.id desc limit ${READ_ROWS}) x
      where x.value <> '' group by x.value order by rows desc, x.value limit ${MAX_PROPOSED}) y)`
  const leads = sql`leads`
  const vehicles = sql`vehicles`
  const { rows } = await sql<object>`
    select c.currency,
      ${named(sql`select id, name from lots where customer_id = ${customerId}`)} as lots,
      ${named(sql`select id, name from forms where customer_id = ${customerId}`)} as forms,
      ${named(sql`select u.id, concat_ws(' ', u.first_name, u.last_name) as name from users u
        where u.customer_id = ${customerId} and u.is_active and ${canWorkOnLeads}`)} as users,
      ${values(leads, sql`t.source_name`)} as sources, ${values(vehicles, sql`t.make`)} as makes,
      ${values(vehicles, sql`t.model`)} as models, ${values(leads, sql`t.campaign ->> 'utm_campaign'`)} as campaigns,
      ${values(leads, sql`t.language`)} as languages
    from customers c where c.id = ${customerId}`.execute(db)
  return LeadRoutingSettings.parse({ ...rows[0], canChange: reach === 'customer' })
}
