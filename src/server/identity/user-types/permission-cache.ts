import { sql, type Kysely } from 'kysely'
import { isPlatformOnly, type Permission, type Permissions } from '#contract/permissions.ts'
import type { DB } from '#server/database/schema.ts'
import { holdable, keyOf } from './permission-sets.ts'

const MAX_CACHED = 5_000

/** A user's permissions, as the contract shows them and as a fast lookup. */
export type OwnRights = { permissions: Permissions; may: (permission: Permission) => boolean }

/** No permissions: before verification, and before an organization is chosen. */
export const NO_RIGHTS: OwnRights = { permissions: { isSuper: false, permissions: [] }, may: () => false }

export type RightsOf = {
  customerId: string
  userId: string
  userTypeId: string
  isSuper: boolean
  /** Platform staff. Nobody else has platform permissions, not even a super user. */
  isPlatform: boolean
  version: string
}

/**
 * Returns a user's permissions: grants of the user type, plus overrides, minus denials. Cached by the version
 * in the session row, so a change takes effect with the next request on every server.
 */
export function makePermissionCache(iam: Kysely<DB>): (of: RightsOf) => Promise<OwnRights> {
  const cache = new Map<string, { version: string; rights: OwnRights }>()
  return async (of) => {
    const key = `${of.customerId}/${of.userId}`
    const found = cache.get(key)
    if (found?.version === of.version) return found.rights
    const rights = heldRights(await readRights(iam, of), of)
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value ?? '')
    cache.set(key, { version: of.version, rights })
    return rights
  }
}

/**
 * Reads a user's permissions by function and operation, on identity's connection or in a tenant's
 * transaction.
 */
export async function readRights(
  db: Kysely<DB>,
  of: Pick<RightsOf, 'customerId' | 'userId' | 'userTypeId' | 'isSuper' | 'isPlatform'>,
): Promise<Permissions> {
  const { rows } = await sql<Permission>`
    select func, opr from user_type_permissions
    where customer_id = ${of.customerId} and user_type_id = ${of.userTypeId}
      and (func, opr) not in (select func, opr from user_permissions
        where customer_id = ${of.customerId} and user_id = ${of.userId} and not is_allowed)
    union
    select func, opr from user_permissions
    where customer_id = ${of.customerId} and user_id = ${of.userId} and is_allowed
    order by func, opr`.execute(db)
  return { isSuper: of.isSuper, permissions: holdable(rows, of.isPlatform) }
}

/** Permissions with a constant-time lookup. A super user has all permissions available there. */
export function heldRights(permissions: Permissions, { isPlatform }: { isPlatform: boolean }): OwnRights {
  if (permissions.isSuper) return { permissions, may: ({ func }) => isPlatform || !isPlatformOnly(func) }
  const held = new Set(permissions.permissions.map(keyOf))
  return { permissions, may: (permission) => held.has(keyOf(permission)) }
}
