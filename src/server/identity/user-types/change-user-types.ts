import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { userTypes } from '#contract/identity/user-types/user-types.ts'
import { can, describe, Func, Opr, type Permission } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, refused, stale } from '#server/http/failure.ts'
import { reachesCustomerData } from './default-user-types.ts'
import {
  keepsWholeTree,
  reachesCustomer,
  requireGrantable,
  refuseWhileImpersonating,
} from './grant-limits.ts'
import { isSameSet, without } from './permission-sets.ts'
import { idsBelow } from './type-tree.ts'
import { readGrants, readTree, readUserType } from './user-type-list.ts'

/** Adds a type below the actor's own; staff in a customer add below its first type. @returns its number. */
export async function addType(
  db: Database,
  actor: Member,
  { userType, permissions }: Received<typeof userTypes.add>,
): Promise<string> {
  refuseWhileImpersonating(actor)
  await lockTree(db, actor)
  refuseReach(actor, userType.reach)
  // To reach further is to be allowed more.
  if (permissions.length > 0 || userType.reach === 'customer') refuseWithoutAdminister(actor)
  requireGrantable(actor, permissions)
  const parentId = userType.parentId === undefined ? await defaultParent(db, actor) : userType.parentId
  await refuseParent(db, actor, parentId)
  const { id } = await explainRefusal(
    db
      .insertInto('userTypes')
      .values({
        name: userType.name,
        reach: userType.reach,
        parentId,
        requiresSecondFactor: userType.requiresSecondFactor ?? reachesCustomerData(permissions),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await insertGrants(db, id, permissions)
  return id
}

/**
 * Changes a type, and what it grants. Grants count the type's version up, so that of two people with the matrix open
 * the second is told.
 * @throws Failure 403 when the type is locked for the actor, 409 with the type as it is when the version is stale.
 */
export async function changeType(
  db: Database,
  actor: Member,
  { userType, permissions }: Received<typeof userTypes.update>,
): Promise<void> {
  refuseWhileImpersonating(actor)
  const { id, version, name, parentId, reach, requiresSecondFactor } = userType
  await lockTree(db, actor)
  const current = await readUserType(db, actor, id)
  if (current.lock !== null) throw forbidden(current.lock)
  if (version !== undefined && version !== current.version) throw stale('This user type', current)

  if (reach === 'customer' && reach !== current.reach) {
    refuseReach(actor, reach)
    refuseWithoutAdminister(actor)
  }
  if (requiresSecondFactor !== undefined && requiresSecondFactor !== current.requiresSecondFactor) {
    refuseWithoutAdminister(actor)
  }
  if (parentId !== undefined && parentId !== current.parentId) await refuseParent(db, actor, parentId, id)
  const grants = await readGrants(db, actor, id)
  const isRegranted = permissions !== undefined && !isSameSet(permissions, grants)
  if (isRegranted) {
    refuseWithoutAdminister(actor)
    requireGrantable(actor, permissions)
    await deleteGrants(db, id, without(grants, permissions))
    await insertGrants(db, id, without(permissions, grants))
  }
  await explainRefusal(
    db
      .updateTable('userTypes')
      .set({ version: sql`version`, name, parentId, reach, requiresSecondFactor })
      // What is granted stands in rows of its own: any difference in this one counts the version up.
      .$if(isRegranted, (change) => change.set({ updatedAt: sql`app_clock_timestamp()` }))
      .where('id', '=', id)
      .execute(),
  )
}

/** One change of the tree at a time: two moves at once could put two types below each other. */
async function lockTree(db: Database, actor: Member): Promise<void> {
  await db
    .selectFrom('userTypes')
    .select('id')
    .where('customerId', '=', actor.customerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

async function defaultParent(db: Database, actor: Member): Promise<string | null> {
  if (!keepsWholeTree(actor)) return actor.userTypeId
  const tops = (await readTree(db, actor)).filter(({ parentId }) => parentId === null)
  return tops.toSorted((one, other) => Number(one.id) - Number(other.id))[0]?.id ?? null
}

async function refuseParent(
  db: Database,
  actor: Member,
  parentId: string | null,
  ownId?: string,
): Promise<void> {
  const tree = await readTree(db, actor)
  const refuse = (sentence: string) =>
    refused('Some fields are not right.', { 'userType.parentId': sentence })
  if (ownId !== undefined && parentId !== null && idsBelow(tree, ownId).has(parentId)) {
    throw refuse('A user type cannot stand below itself.')
  }
  if (keepsWholeTree(actor)) {
    if (parentId === null || tree.some(({ id }) => id === parentId)) return
    throw refuse('Choose a user type of this customer.')
  }
  if (parentId !== null && idsBelow(tree, actor.userTypeId).has(parentId)) return
  throw refuse('Choose your own user type or one below it.')
}

function refuseReach(actor: Member, reach: 'organization' | 'customer'): void {
  if (reach === 'organization' || reachesCustomer(actor)) return
  throw refused('Some fields are not right.', {
    'userType.reach': 'Your own user type reaches one organization, so this one may not reach further.',
  })
}

function refuseWithoutAdminister(actor: Member): void {
  const wanted = can(Func.userTypes, Opr.administer)
  if (!actor.may(wanted)) throw forbidden(`You may not change permissions. It needs ${describe(wanted)}.`)
}

async function insertGrants(db: Database, userTypeId: string, grants: readonly Permission[]): Promise<void> {
  if (grants.length === 0) return
  await db
    .insertInto('userTypePermissions')
    .values(grants.map(({ func, opr }) => ({ userTypeId, func, opr })))
    .execute()
}

async function deleteGrants(db: Database, userTypeId: string, grants: readonly Permission[]): Promise<void> {
  if (grants.length === 0) return
  await sql`
    delete from user_type_permissions p
    using unnest(${grants.map(({ func }) => func)}::int[], ${grants.map(({ opr }) => opr)}::int[]) gone (func, opr)
    where p.user_type_id = ${userTypeId} and p.func = gone.func and p.opr = gone.opr`.execute(db)
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another user type already has this name.', {
        'userType.name': 'This name is already in use.',
      })
    }
    throw error
  }
}
