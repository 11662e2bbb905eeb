import { can, Func, Opr } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import { isInPlatform, reachesCustomer } from '../user-types/grant-limits.ts'
import { readManagedTypes } from '../user-types/read-tree.ts'

const refuse = (field: string, sentence: string) =>
  refused('Some fields are invalid.', { [`user.${field}`]: sentence })

/**
 * Validates the organizations of a new member. An actor limited to one organization can only add users to
 * that one.
 * @throws Failure 400 on the field if one isn't accessible or none is given.
 */
export async function reachedOrganizations(
  db: Database,
  actor: Member,
  wanted: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(wanted)]
  if (actor.reach === 'organization') {
    if (ids.some((id) => id !== actor.organizationId)) {
      throw refuse('organizationIds', 'Choose one of your organizations.')
    }
    return [actor.organizationId]
  }
  if (ids.length === 0) throw refuse('organizationIds', 'Choose at least one organization.')
  const found = await db.selectFrom('organizations').select('id').where('id', 'in', ids).execute()
  if (found.length < ids.length) throw refuse('organizationIds', 'Choose one of your organizations.')
  return ids
}

/**
 * Checks that the actor may assign a type: their own or one below it, or any for platform staff in a
 * customer. The row is locked until the transaction ends, so that it can't grant more in the meantime.
 * @throws Failure 400 on the field, 403 if it has wider access than the actor.
 */
export async function lockAssignableType(db: Database, actor: Member, id: string): Promise<void> {
  const held = await db
    .selectFrom('userTypes')
    .select(['id', 'reach'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  const managed = await readManagedTypes(db, actor)
  if (held === undefined || (managed !== null && !managed.has(held.id)))
    throw refuse('userTypeId', 'Choose your own user type or one below it.')
  if (held.reach === 'customer' && !reachesCustomer(actor)) {
    throw forbidden('This user type covers all organizations. Yours covers one.')
  }
}

/**
 * @throws Failure 403: only super users can add or remove super users, and only in the platform's customer.
 */
export function requireSuperUser(actor: Member): void {
  if (!actor.permissions.isSuper) throw forbidden('Only a super user can add or remove super users.')
  if (!isInPlatform(actor)) throw forbidden("Super users can only belong to the platform's own customer.")
}

/** @throws Failure 403 naming the permission to administer users. */
export function requireAdminister(actor: Member): void {
  const wanted = can(Func.users, Opr.administer)
  if (!actor.may(wanted))
    throw forbidden(`You don't have permission to change permissions. It requires ${describe(wanted)}.`)
}

/** Turns database constraint errors into form errors. */
export async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('This user name is already in use.', {
        'user.userName': 'This user name is already in use.',
      })
    }
    throw error
  }
}
