import type { TestApp } from '#test/app.ts'

/**
 * Adds a user type with all permissions in its own organization. What it can't access, no user of one organization
 * can.
 */
export async function addAllRightsHere({ owner }: TestApp, customerId: string): Promise<string> {
  await owner.query(
    `with type as (
      insert into user_types (customer_id, name, reach) values ($1, 'Everything here', 'organization') returning id
    )
    insert into user_type_permissions (customer_id, user_type_id, func, opr)
    select p.customer_id, type.id, p.func, p.opr from type, user_type_permissions p
      join user_types t on t.customer_id = p.customer_id and t.id = p.user_type_id
    where t.customer_id = $1 and t.name = 'Customer administrator'`,
    [customerId],
  )
  return 'Everything here'
}
