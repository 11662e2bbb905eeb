import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { DefaultUserType } from './default-user-types.ts'
import type { Passwords } from './passwords.ts'
import { storePassword } from './sign-in.ts'

/** Adds a user type with its grants to a customer. @returns its number. */
export async function addUserType(
  db: Kysely<DB>,
  customerId: string,
  type: DefaultUserType,
): Promise<string> {
  const { id } = await db
    .insertInto('userTypes')
    .values({ customerId, name: type.name, reach: type.reach })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (type.permissions.length > 0) {
    await db
      .insertInto('userTypePermissions')
      .values(type.permissions.map(({ func, opr }) => ({ customerId, userTypeId: id, func, opr })))
      .execute()
  }
  return id
}

export type NewPerson = {
  customerId: string
  userTypeId: string
  userName: string
  email: string
  firstName: string
  lastName: string
  password: string
  isSuper?: boolean
  isDemo?: boolean
  /** The organizations they are a member of. */
  organizationIds: readonly string[]
}

/**
 * Adds a person with a password and memberships. The caller has checked the password rule and the right to do it.
 * @returns the person's number.
 */
export async function addPerson(db: Kysely<DB>, passwords: Passwords, person: NewPerson): Promise<string> {
  const { customerId, organizationIds, password, ...columns } = person
  const { id } = await db
    .insertInto('users')
    .values({ customerId, ...columns })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (organizationIds.length > 0) {
    await db
      .insertInto('memberships')
      .values(organizationIds.map((organizationId) => ({ customerId, userId: id, organizationId })))
      .execute()
  }
  await storePassword({ iam: db, passwords }, { customerId, id }, password)
  return id
}
