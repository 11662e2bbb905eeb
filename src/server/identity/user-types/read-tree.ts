import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { idsBelow } from './type-tree.ts'

/**
 * Whether the actor manages the whole tree of user types: super users, and platform staff in a customer,
 * whose own type isn't in its tree.
 */
export const managesWholeTree = (actor: Member): boolean =>
  actor.isPlatformStaff && (actor.customerId !== actor.effectiveCustomerId || actor.permissions.isSuper)

/** The tree alone: types with their parents. */
export function readTree(db: Database, actor: Member) {
  return db
    .selectFrom('userTypes')
    .select(['id', 'name', 'parentId', 'reach'])
    .where('customerId', '=', actor.customerId)
    .execute()
}

/** IDs of the actor's own type and those below it; null if the actor manages the whole tree. */
export async function readManagedTypes(db: Database, actor: Member): Promise<Set<string> | null> {
  return managesWholeTree(actor) ? null : idsBelow(await readTree(db, actor), actor.userTypeId)
}
