import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { reachesCustomerData, type DefaultUserType } from '../user-types/default-user-types.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { storePassword } from '../credentials/stored-passwords.ts'

/** Adds a user type with its permissions to a customer, below the type `parentId`. @returns its ID. */
export async function addUserType(
  db: Kysely<DB>,
  customerId: string,
  type: DefaultUserType,
  parentId: string | null = null,
): Promise<string> {
  const { id } = await db
    .insertInto('userTypes')
    .values({
      customerId,
      name: type.name,
      reach: type.reach,
      parentId,
      requiresSecondFactor: type.requiresSecondFactor ?? reachesCustomerData(type.permissions),
    })
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

export type NewUserRow = {
  customerId: string
  userTypeId: string
  userName: string
  email: string
  firstName: string
  lastName: string
  phone?: string | null
  jobTitle?: string | null
  /** Null for an invited user, who sets a first password with an emailed link. */
  password: string | null
  isActive?: boolean
  isSuper?: boolean
  isDemo?: boolean
  /** The organizations they belong to. */
  organizationIds: readonly string[]
}

/**
 * Adds a user with a password and memberships. The caller has checked the password rule and the permission.
 * @returns the user's ID.
 */
export async function createUser(db: Kysely<DB>, passwords: Passwords, user: NewUserRow): Promise<string> {
  const { password, ...columns } = user
  const id = await insertUser(db, columns)
  if (password !== null) {
    await storePassword({ iam: db, passwords }, { customerId: user.customerId, id }, password)
  }
  return id
}

/**
 * Inserts a user with memberships. The ID is taken first: an actor limited to one organization can see the
 * row only once its membership exists, so the insert couldn't return it.
 */
export async function insertUser(db: Kysely<DB>, user: Omit<NewUserRow, 'password'>): Promise<string> {
  const { customerId, organizationIds, ...columns } = user
  const { rows } = await sql<{ id: string }>`select nextval('users_id_seq') as id`.execute(db)
  const [{ id } = { id: '' }] = rows
  const row = { phone: null, jobTitle: null, isSuper: false, isActive: true, isDemo: false, ...columns }
  const values = { customerId, id, ...row }
  await sql`
    insert into users (${sql.join(Object.keys(values).map((name) => sql.ref(name)))}) overriding system value
    values (${sql.join(Object.values(values))})`.execute(db)
  if (organizationIds.length > 0) {
    await db
      .insertInto('memberships')
      .values(organizationIds.map((organizationId) => ({ customerId, userId: id, organizationId })))
      .execute()
  }
  return id
}
