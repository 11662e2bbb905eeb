import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

type Choice = { id: string; name: string; logo: string | null; customerId: string; customerName: string }

/**
 * The organizations a user can switch to, by customer and name: those they belong to, and for platform staff
 * those of every active customer, without logos, which would be megabytes. Archived ones are left out.
 * @param only an organization ID: reads just that one.
 */
export async function listSwitchChoices(
  iam: Kysely<DB>,
  of: { customerId: string; userId: string },
  { most = null, only = null }: { most?: number | null; only?: string | null } = {},
): Promise<Choice[]> {
  const { rows } = await sql<Choice>`
    select o.id, o.name, case when home.is_platform then null else o.logo end as logo,
      c.id as "customerId", c.name as "customerName"
    from organizations o
    join customers c on c.id = o.customer_id and c.status = 'active'
    join customers home on home.id = ${of.customerId}
    where o.archived_at is null and (${only}::bigint is null or o.id = ${only}::bigint) and (home.is_platform or exists (select from memberships m
        where m.customer_id = ${of.customerId} and m.user_id = ${of.userId}
          and m.customer_id = o.customer_id and m.organization_id = o.id))
    order by c.is_platform, c.name, o.name limit ${most}`.execute(iam)
  return rows
}
