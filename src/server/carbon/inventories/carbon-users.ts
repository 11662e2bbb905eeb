import { sql } from 'kysely'
import type { CarbonUser } from '#contract/carbon/inventories/inventories.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** Active users with access to an organization, by name. */
export async function readUsers(
  db: Database,
  customerId: string,
  organizationId: string,
): Promise<CarbonUser[]> {
  const { rows } = await sql<CarbonUser>`
    select u.id::text, u.first_name || ' ' || u.last_name as name from memberships m
    join users u on u.customer_id = m.customer_id and u.id = m.user_id
    where m.customer_id = ${customerId} and m.organization_id = ${organizationId} and u.is_active
    order by lower(u.last_name), lower(u.first_name), u.id limit 2000`.execute(db)
  return rows
}

/** The given users who can't be chosen because they aren't members of the organization or don't exist. */
export async function findNonMembers(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const members = await db
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('userId', 'in', [...new Set(ids)])
    .execute()
  const known = new Set(members.map(({ userId }) => userId))
  return ids.filter((id) => !known.has(id))
}
