import { sql, type Kysely } from 'kysely'
import { isPlatformOnly, type Permission, type Permissions } from '#contract/permissions.ts'
import type { DB } from '#server/database/schema.ts'
import { holdable, keyOf } from './permission-sets.ts'

const MOST_REMEMBERED = 5_000

/** A person's rights: as the contract shows them, and as a set that answers in one look. */
export type OwnRights = { permissions: Permissions; may: (permission: Permission) => boolean }

/** The rights of nobody: before verification, before an organization is chosen. */
export const NO_RIGHTS: OwnRights = { permissions: { isSuper: false, permissions: [] }, may: () => false }

export type RightsOf = {
  customerId: string
  userId: string
  userTypeId: string
  isSuper: boolean
  /** One of the platform's own people: nobody else holds its functions, not even a super user. */
  isPlatform: boolean
  version: string
}

/**
 * Answers what a person may do: the user type's grants, plus what the person is allowed, minus what is denied. Kept
 * by the version that the session row brings along, so a change counts with the next request on every server.
 */
export function makePermissionCache(iam: Kysely<DB>): (of: RightsOf) => Promise<OwnRights> {
  const known = new Map<string, { version: string; rights: OwnRights }>()
  return async (of) => {
    const key = `${of.customerId}/${of.userId}`
    const found = known.get(key)
    if (found?.version === of.version) return found.rights
    const rights = heldRights(await readRights(iam, of), of)
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value ?? '')
    known.set(key, { version: of.version, rights })
    return rights
  }
}

/** What a person may do, by function and operation, on identity's connection or in a tenant's transaction. */
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

/** Rights that answer in one look instead of a walk through the list. A super user holds all that the place has. */
export function heldRights(permissions: Permissions, { isPlatform }: { isPlatform: boolean }): OwnRights {
  if (permissions.isSuper) return { permissions, may: ({ func }) => isPlatform || !isPlatformOnly(func) }
  const held = new Set(permissions.permissions.map(keyOf))
  return { permissions, may: (permission) => held.has(keyOf(permission)) }
}
