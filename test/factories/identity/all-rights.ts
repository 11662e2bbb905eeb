import type { TestOrganization } from '#test/factories/test-organization.ts'

/**
 * Adds a user type with all permissions in its own organization. What it can't access, no user of one organization
 * can. With SQL: it is at the top of the tree, unrelated to the customer's other types, and users can only add types below
 * their own.
 */
export async function addAllRightsHere({ customerId, insert }: TestOrganization): Promise<string> {
  const name = 'Everything here'
  await insert(
    `with type as (
      insert into user_types (customer_id, name, reach) values ($1, $2, 'organization') returning id
    )
    insert into user_type_permissions (customer_id, user_type_id, func, opr)
    select p.customer_id, type.id, p.func, p.opr from type, user_type_permissions p
      join user_types t on t.customer_id = p.customer_id and t.id = p.user_type_id
    where t.customer_id = $1 and t.name = 'Customer administrator' returning user_type_id as id`,
    [customerId, name],
  )
  return name
}
