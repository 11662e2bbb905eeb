import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { reachesCustomerData, type DefaultUserType } from '../user-types/default-user-types.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { storePassword } from '../passwords/stored-passwords.ts'

/** Adds a user type with its grants to a customer, below the type `parentId`. @returns its number. */
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
  /** Null: invited; the link to a first password comes by mail. */
  password: string | null
  isActive?: boolean
  isSuper?: boolean
  isDemo?: boolean
  /** The organizations they are a member of. */
  organizationIds: readonly string[]
}

/**
 * Adds a person with a password and memberships. The caller has checked the password rule and the right to do it.
 * @returns the person's number.
 */
export async function createUser(db: Kysely<DB>, passwords: Passwords, person: NewUserRow): Promise<string> {
  const { password, ...columns } = person
  const id = await insertUser(db, columns)
  if (password !== null) {
    await storePassword({ iam: db, passwords }, { customerId: person.customerId, id }, password)
  }
  return id
}

/**
 * Writes a person with memberships. The number is taken before: whoever reaches one organization sees the row only
 * when its membership is there, so an insert could not answer it.
 */
export async function insertUser(db: Kysely<DB>, person: Omit<NewUserRow, 'password'>): Promise<string> {
  const { customerId, organizationIds, ...columns } = person
  const { rows } = await sql<{ id: string }>`select nextval('users_id_seq') as id`.execute(db)
  const [{ id } = { id: '' }] = rows
  await sql`
    insert into users (customer_id, id, user_type_id, user_name, email, first_name, last_name, phone, job_title,
      is_super, is_active, is_demo)
    overriding system value
    values (${customerId}, ${id}, ${columns.userTypeId}, ${columns.userName}, ${columns.email}, ${columns.firstName},
      ${columns.lastName}, ${columns.phone ?? null}, ${columns.jobTitle ?? null}, ${columns.isSuper ?? false},
      ${columns.isActive ?? true}, ${columns.isDemo ?? false})`.execute(db)
  if (organizationIds.length > 0) {
    await db
      .insertInto('memberships')
      .values(organizationIds.map((organizationId) => ({ customerId, userId: id, organizationId })))
      .execute()
  }
  return id
}
