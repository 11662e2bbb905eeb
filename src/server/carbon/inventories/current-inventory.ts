import { sql } from 'kysely'
import type { CurrentInventory } from '#contract/carbon/results/due-points.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/**
 * The day before which data points of an inventory `i` of an organization `o` have to have ended to be due: today, or the day after
 * the period.
 */
export const dueBefore = sql<string>`least(today(o.time_zone), i.period_end + 1)::text`

/**
 * The inventory that the caller's organization works on: the latest one that collects data or is in review. If none is open,
 * the latest of any status except draft. Inventories of the caller's organization come before those of others in reach.
 * @returns null if there is none.
 */
export async function readCurrentInventory(
  db: Database,
  { customerId, organizationId }: Pick<Member, 'customerId' | 'organizationId'>,
): Promise<CurrentInventory | null> {
  const { rows } = await sql<CurrentInventory>`
    select i.id::text, i.name, o.name as organization_name, i.status, i.period_start::text, i.period_end::text,
      ${dueBefore} as due_before
    from carbon_inventories i
    join organizations o on o.customer_id = i.customer_id and o.id = i.organization_id
    where i.customer_id = ${customerId} and i.status not in ('draft', 'restated') and i.period_start <= today(o.time_zone)
    order by i.organization_id = ${organizationId} desc, i.status in ('collecting', 'in_review') desc, i.period_end desc,
      i.id desc limit 1`.execute(db)
  return rows[0] ?? null
}
