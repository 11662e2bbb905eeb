import { sql, type Kysely } from 'kysely'
import type { Permission, Permissions } from '#contract/permissions.ts'
import type { DB } from '#server/database/schema.ts'

const MOST_REMEMBERED = 5_000
const keyOf = ({ func, opr }: Permission): number => func * 16 + opr

/** A person's rights: as the contract shows them, and as a set that answers in one look. */
export type HeldRights = { permissions: Permissions; may: (permission: Permission) => boolean }

/** The rights of nobody: before verification, before an organization is chosen. */
export const NO_RIGHTS: HeldRights = { permissions: { isSuper: false, permissions: [] }, may: () => false }

export type RightsOf = {
  customerId: string
  userId: string
  userTypeId: string
  isSuper: boolean
  version: string
}

/**
 * Answers what a person may do: the user type's grants, plus what the person is allowed, minus what is denied. Kept
 * by the version that the session row brings along, so a change counts with the next request on every server.
 */
export function makePermissionCache(iam: Kysely<DB>): (of: RightsOf) => Promise<HeldRights> {
  const known = new Map<string, { version: string; rights: HeldRights }>()
  return async (of) => {
    const key = `${of.customerId}/${of.userId}`
    const found = known.get(key)
    if (found?.version === of.version) return found.rights
    const rights = await readRights(iam, of)
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value ?? '')
    known.set(key, { version: of.version, rights })
    return rights
  }
}

async function readRights(iam: Kysely<DB>, of: RightsOf): Promise<HeldRights> {
  const { rows } = await sql<Permission>`
    select func, opr from user_type_permissions
    where customer_id = ${of.customerId} and user_type_id = ${of.userTypeId}
      and (func, opr) not in (select func, opr from user_permissions
        where customer_id = ${of.customerId} and user_id = ${of.userId} and not is_allowed)
    union
    select func, opr from user_permissions
    where customer_id = ${of.customerId} and user_id = ${of.userId} and is_allowed
    order by func, opr`.execute(iam)
  return heldRights({ isSuper: of.isSuper, permissions: rows })
}

/** Rights that answer in one look instead of a walk through the list. */
export function heldRights(permissions: Permissions): HeldRights {
  const held = new Set(permissions.permissions.map(keyOf))
  return { permissions, may: permissions.isSuper ? () => true : (permission) => held.has(keyOf(permission)) }
}
