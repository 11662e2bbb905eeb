import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Identity } from '../identity.ts'

type UserRow = { customerId: string; id: string }

/** Stores the hash of a password that the caller has already validated. */
export async function storePassword(
  { iam, passwords }: Pick<Identity, 'iam' | 'passwords'>,
  of: UserRow,
  password: string,
): Promise<void> {
  await storeHash(iam, of, await passwords.hash(password))
}

/** Stores a new password hash. Emailed links from before can no longer set one. */
export async function storeHash(iam: Kysely<DB>, of: UserRow, hash: string): Promise<void> {
  await sql`
    with credential as (
      insert into iam.credentials (customer_id, user_id, password_hash) values (${of.customerId}, ${of.id}, ${hash})
      on conflict (customer_id, user_id) do update set password_hash = excluded.password_hash, changed_at = app_now()
    ), links as (
      update iam.password_links set expires_at = app_now()
      where customer_id = ${of.customerId} and user_id = ${of.id} and used_at is null and expires_at > app_now()
    )
    insert into user_access (customer_id, user_id, password_set_at) values (${of.customerId}, ${of.id}, app_now())
    on conflict (customer_id, user_id) do update set password_set_at = app_now()`.execute(iam)
}

/**
 * Stores the hash of another password in place of the one that was compared, as `storeHash`.
 * @returns false if the password was changed in the meantime.
 */
export async function replacePassword(
  { iam, passwords }: Pick<Identity, 'iam' | 'passwords'>,
  of: UserRow,
  { password, compared }: { password: string; compared: string },
): Promise<boolean> {
  const hash = await passwords.hash(password)
  const { rows } = await sql`
    with credential as (
      update iam.credentials set password_hash = ${hash}, changed_at = app_now()
      where customer_id = ${of.customerId} and user_id = ${of.id} and password_hash = ${compared} returning 1
    ), links as (
      update iam.password_links set expires_at = app_now() where exists (select from credential)
        and customer_id = ${of.customerId} and user_id = ${of.id} and used_at is null and expires_at > app_now()
    )
    insert into user_access (customer_id, user_id, password_set_at)
    select ${of.customerId}, ${of.id}, app_now() from credential
    on conflict (customer_id, user_id) do update set password_set_at = app_now() returning 1`.execute(iam)
  return rows.length > 0
}

/**
 * Rehashes the same password with the current settings, unless the password was changed in the meantime.
 * @returns the new hash, stored or not.
 */
export async function renewHash(
  { iam, passwords }: Pick<Identity, 'iam' | 'passwords'>,
  of: UserRow,
  { password, compared }: { password: string; compared: string },
): Promise<string> {
  const passwordHash = await passwords.hash(password)
  await iam
    .updateTable('iam.credentials')
    .set({ passwordHash })
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.id)
    .where('passwordHash', '=', compared)
    .execute()
  return passwordHash
}
