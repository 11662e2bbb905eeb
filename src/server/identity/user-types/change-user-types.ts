import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { userTypes } from '#contract/identity/user-types/user-types.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, refused, stale } from '#server/http/failure.ts'
import { reachesCustomerData } from './default-user-types.ts'
import { reachesCustomer, requireGrantable, refuseWhileImpersonating } from './grant-limits.ts'
import { isSameSet, without } from './permission-sets.ts'
import { managesWholeTree, readTree } from './read-tree.ts'
import { idsBelow } from './type-tree.ts'
import { readGrants, readUserType } from './user-type-list.ts'

/**
 * Adds a type below the actor's own; platform staff in a customer add below its first type. @returns its ID.
 */
export async function addType(
  db: Database,
  actor: Member,
  { userType, permissions }: Received<typeof userTypes.add>,
): Promise<string> {
  refuseWhileImpersonating(actor)
  await lockTree(db, actor)
  requireReach(actor, userType.reach)
  // Wider access is a permission too.
  if (permissions.length > 0 || userType.reach === 'customer') requireAdminister(actor)
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
 * Changes a type and what it grants. Changed grants increment the type's version, so that a concurrent edit
 * of the permissions is detected.
 * @throws Failure 403 if the type is locked for the actor, 409 with the current type if the version is stale.
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
    requireReach(actor, reach)
    requireAdminister(actor)
  }
  if (requiresSecondFactor !== undefined && requiresSecondFactor !== current.requiresSecondFactor) {
    requireAdminister(actor)
  }
  if (parentId !== undefined && parentId !== current.parentId) await refuseParent(db, actor, parentId, id)
  const grants = await readGrants(db, actor, id)
  const hasNewGrants = permissions !== undefined && !isSameSet(permissions, grants)
  if (hasNewGrants) {
    requireAdminister(actor)
    requireGrantable(actor, permissions)
    await deleteGrants(db, id, without(grants, permissions))
    await insertGrants(db, id, without(permissions, grants))
  }
  await explainRefusal(
    db
      .updateTable('userTypes')
      .set({ version: sql`version`, name, parentId, reach, requiresSecondFactor })
      // Grants are rows of their own. Changing any column increments the version of this row.
      .$if(hasNewGrants, (change) => change.set({ updatedAt: sql`app_clock_timestamp()` }))
      .where('id', '=', id)
      .execute(),
  )
}

/** Serializes changes of the tree: two concurrent moves could put two types below each other. */
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
  if (!managesWholeTree(actor)) return actor.userTypeId
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
  const refuse = (sentence: string) => refused('Some fields are invalid.', { 'userType.parentId': sentence })
  if (ownId !== undefined && parentId !== null && idsBelow(tree, ownId).has(parentId)) {
    throw refuse("A user type can't be below itself.")
  }
  if (managesWholeTree(actor)) {
    if (parentId === null || tree.some(({ id }) => id === parentId)) return
    throw refuse('Choose a user type of this customer.')
  }
  if (parentId !== null && idsBelow(tree, actor.userTypeId).has(parentId)) return
  throw refuse('Choose your own user type or one below it.')
}

function requireReach(actor: Member, reach: 'organization' | 'customer'): void {
  if (reach === 'organization' || reachesCustomer(actor)) return
  throw refused('Some fields are invalid.', {
    'userType.reach': "Your own user type covers one organization, so this one can't cover more.",
  })
}

function requireAdminister(actor: Member): void {
  const wanted = can(Func.userTypes, Opr.administer)
  if (!actor.may(wanted))
    throw forbidden(`You don't have permission to change permissions. It requires ${describe(wanted)}.`)
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
