import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { addUserType, CUSTOMER_USER_TYPES, PLATFORM_USER_TYPES } from '#server/identity/index.ts'

export type FoundedCustomer = {
  customerId: string
  /** IDs by name, in the given order. */
  organizations: Record<string, string>
  userTypes: Record<string, string>
}

/**
 * Creates a customer with its organizations and the default user types. Runs as the database owner, because the tenant
 * doesn't exist yet.
 */
export async function foundCustomer(
  db: Kysely<DB>,
  given: {
    name: string
    isPlatform: boolean
    organizations: readonly { name: string; timeZone: string }[]
    /** False: no user type requires a second factor at first. */
    asksForFactors?: boolean
  },
): Promise<FoundedCustomer> {
  const { id: customerId } = await db
    .insertInto('customers')
    .values({ name: given.name, isPlatform: given.isPlatform })
    .returning('id')
    .executeTakeFirstOrThrow()
  const founded: FoundedCustomer = { customerId, organizations: {}, userTypes: {} }
  for (const organization of given.organizations) {
    const { id } = await db
      .insertInto('organizations')
      .values({ customerId, ...organization })
      .returning('id')
      .executeTakeFirstOrThrow()
    founded.organizations[organization.name] = id
  }
  for (const type of given.isPlatform ? PLATFORM_USER_TYPES : CUSTOMER_USER_TYPES) {
    const parentId = type.parent === null ? null : (founded.userTypes[type.parent] ?? null)
    founded.userTypes[type.name] = await addUserType(
      db,
      customerId,
      given.asksForFactors === false ? { ...type, requiresSecondFactor: false } : type,
      parentId,
    )
  }
  return founded
}
