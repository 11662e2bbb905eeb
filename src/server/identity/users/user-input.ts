import { can, describe, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import { isInPlatform, keepsWholeTree, reachesCustomer } from '../user-types/grant-limits.ts'
import { idsBelow } from '../user-types/type-tree.ts'
import { readTree } from '../user-types/user-type-list.ts'

const refuse = (field: string, sentence: string) =>
  refused('Some fields are not right.', { [`user.${field}`]: sentence })

/**
 * The organizations somebody becomes a member of. Whoever reaches one organization puts people into that one.
 * @throws Failure 400 on the field when one is out of reach or none is named.
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
 * A type that the actor may give somebody: their own or one below it; of a customer staff act in, any. It is held
 * until the transaction ends, so that it does not come to grant more meanwhile.
 * @throws Failure 400 on the field, 403 when it reaches further than the actor.
 */
export async function refuseUserType(db: Database, actor: Member, id: string): Promise<void> {
  const held = await db
    .selectFrom('userTypes')
    .select(['id', 'reach'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  const tree = await readTree(db, actor)
  const isOwn = held !== undefined && (keepsWholeTree(actor) || idsBelow(tree, actor.userTypeId).has(held.id))
  if (!isOwn) throw refuse('userTypeId', 'Choose your own user type or one below it.')
  if (held.reach === 'customer' && !reachesCustomer(actor)) {
    throw forbidden('This user type reaches the whole customer, yours one organization.')
  }
}

/** @throws Failure 403: super users are the platform's, and made by their like. */
export function refuseSuper(actor: Member): void {
  if (!actor.permissions.isSuper) throw forbidden('Only a super user makes or unmakes a super user.')
  if (!isInPlatform(actor)) throw forbidden("Super users belong to the platform's own customer.")
}

/** @throws Failure 403 naming the permission to administer people. */
export function refuseWithoutAdminister(actor: Member): void {
  const wanted = can(Func.users, Opr.administer)
  if (!actor.may(wanted)) throw forbidden(`You may not change permissions. It needs ${describe(wanted)}.`)
}

/** What the database's own rules refuse, in the words of the form. */
export async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Somebody else has this user name.', {
        'user.userName': 'This user name is already in use.',
      })
    }
    throw error
  }
}
