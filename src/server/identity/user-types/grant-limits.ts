import { sql } from 'kysely'
import type { Permission } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, notFound, refused } from '#server/http/failure.ts'
import { holdable, keyOf, nameSome, permissionOf, PLATFORM_FUNCTIONS } from './permission-sets.ts'
import { readManagedTypes } from './read-tree.ts'

/** Whether the actor works in the platform's own customer. */
export const isInPlatform = (actor: Member): boolean =>
  actor.isPlatformStaff && actor.customerId === actor.effectiveCustomerId

export const reachesCustomer = (actor: Member): boolean =>
  actor.reach === 'customer' || actor.permissions.isSuper

/**
 * Callers can't grant permissions they don't have, and platform permissions can't be granted in a customer.
 * @throws Failure 400 for platform functions, 403 naming the permissions the actor lacks.
 */
export function requireGrantable(actor: Member, wanted: readonly Permission[]): void {
  const platformOnly = isInPlatform(actor)
    ? []
    : wanted.filter(({ func }) => PLATFORM_FUNCTIONS.includes(func))
  if (platformOnly.length > 0) {
    throw refused('Some fields are invalid.', {
      permissions: `Only platform staff can have this: ${nameSome(platformOnly)}.`,
    })
  }
  const above = wanted.filter((permission) => !actor.may(permission))
  if (above.length > 0) throw forbidden(`You can't grant permissions you don't have: ${nameSome(above)}.`)
}

/** Changes to accounts and permissions must be made by the real user, never while impersonating. */
export function refuseWhileImpersonating(actor: Pick<Member, 'userId' | 'effectiveUserId'>): void {
  if (actor.userId === actor.effectiveUserId) return
  throw forbidden("You can't do this while impersonating a user. Switch back first.")
}

type GrantContext = {
  id: string
  isSuper: boolean
  reach: 'organization' | 'customer'
  userTypeId: string
  userTypeName: string
}

/**
 * Why the actor can't change each of these users, as a sentence, or null. At most three statements for all of
 * them; none if nobody can have more permissions than the actor. A user's type must be the actor's own or one
 * below it: otherwise anyone with the same permissions could take over the account of their own
 * administrator ([decision 243](../../../../docs/decisions/0243-accounts-follow-the-tree-of-user-types.md)).
 * Actors aren't locked for themselves: what they can't change is rejected by field.
 */
export async function lockUsers(
  db: Database,
  actor: Member,
  users: readonly GrantContext[],
): Promise<Map<string, string | null>> {
  const ids = users.map(({ id }) => id)
  const [above, elsewhere, managed] = await Promise.all([
    rightsAbove(db, actor, ids),
    membersElsewhere(db, actor, ids),
    readManagedTypes(db, actor),
  ])
  return new Map(
    users.map((user) => [
      user.id,
      reasonToLock(actor, user, {
        above: above.get(user.id) ?? [],
        isElsewhere: elsewhere.has(user.id),
        isOfHigherType: managed !== null && !managed.has(user.userTypeId),
      }),
    ]),
  )
}

function reasonToLock(
  actor: Member,
  user: GrantContext,
  {
    above,
    isElsewhere,
    isOfHigherType,
  }: { above: readonly Permission[]; isElsewhere: boolean; isOfHigherType: boolean },
): string | null {
  if (user.id === actor.effectiveUserId) return null
  if (user.isSuper && !actor.permissions.isSuper) return 'Only a super user can change a super user.'
  if (user.reach === 'customer' && !reachesCustomer(actor)) {
    return 'Their user type covers all organizations. Yours covers one.'
  }
  if (isElsewhere) return "They also belong to an organization you can't access."
  if (above.length > 0) return `They have permissions you don't have: ${nameSome(above)}.`
  return isOfHigherType ? ofHigherType(user.userTypeName) : null
}

/** Why a user can't be managed by someone whose own user type isn't theirs or above it. */
export const ofHigherType = (typeName: string): string =>
  `Their user type, ${typeName}, is neither yours nor below it. Ask someone with a higher user type.`

/** @throws Failure 404 without access to the user, 403 with the reason if the actor can't change them. */
export async function refuseLocked(db: Database, actor: Member, userId: string): Promise<void> {
  const user = await db
    .selectFrom('users')
    .innerJoin('userTypes', (join) =>
      join
        .onRef('userTypes.customerId', '=', 'users.customerId')
        .onRef('userTypes.id', '=', 'users.userTypeId'),
    )
    .select([
      'users.id',
      'users.isSuper',
      'users.userTypeId',
      'userTypes.name as userTypeName',
      'userTypes.reach',
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (user === undefined) throw notFound('User')
  const lock = (await lockUsers(db, actor, [user])).get(user.id)
  if (typeof lock === 'string') throw forbidden(lock)
}

/**
 * Which of these users also belong to another organization. An actor limited to one organization can't see
 * the other one, and must not get in through their accounts.
 */
async function membersElsewhere(db: Database, actor: Member, ids: readonly string[]): Promise<Set<string>> {
  if (actor.reach !== 'organization' || ids.length === 0) return new Set()
  const { rows } = await sql<{ userId: string }>`
    select e.user_id from members_elsewhere(${[...ids]}::bigint[]) e`.execute(db)
  return new Set(rows.map(({ userId }) => userId))
}

/** Permissions that users have and the actor lacks, by user. */
async function rightsAbove(
  db: Database,
  actor: Member,
  ids: readonly string[],
): Promise<Map<string, Permission[]>> {
  if (actor.permissions.isSuper || ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; above: number[] }>`
    select u.id, array_agg(held.func * 16 + held.opr order by held.func, held.opr) as above
    from users u
    cross join lateral (
      select p.func, p.opr from user_type_permissions p
      where p.customer_id = u.customer_id and p.user_type_id = u.user_type_id
        and not exists (select from user_permissions d where d.customer_id = u.customer_id and d.user_id = u.id
          and d.func = p.func and d.opr = p.opr and not d.is_allowed)
      union
      select a.func, a.opr from user_permissions a
      where a.customer_id = u.customer_id and a.user_id = u.id and a.is_allowed
    ) held
    left join unnest(${actor.permissions.permissions.map(keyOf)}::int[]) own (key)
      on own.key = held.func * 16 + held.opr
    where u.customer_id = ${actor.customerId} and u.id = any(${[...ids]}::bigint[]) and own.key is null
    group by u.id`.execute(db)
  return new Map(rows.map(({ id, above }) => [id, holdable(above.map(permissionOf), isInPlatform(actor))]))
}

/** Permissions that user types grant and the actor lacks, by type. */
export async function grantsAbove(db: Database, actor: Member): Promise<Map<string, Permission[]>> {
  if (actor.permissions.isSuper) return new Map()
  const { rows } = await sql<{ id: string; above: number[] }>`
    select p.user_type_id as id, array_agg(p.func * 16 + p.opr order by p.func, p.opr) as above
    from user_type_permissions p
    left join unnest(${actor.permissions.permissions.map(keyOf)}::int[]) own (key) on own.key = p.func * 16 + p.opr
    where p.customer_id = ${actor.customerId} and own.key is null
    group by p.user_type_id`.execute(db)
  return new Map(rows.map(({ id, above }) => [id, holdable(above.map(permissionOf), isInPlatform(actor))]))
}
