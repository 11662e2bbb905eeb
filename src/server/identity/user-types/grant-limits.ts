import { sql } from 'kysely'
import type { Permission } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, notFound, refused } from '#server/http/failure.ts'
import { holdable, keyOf, nameSome, permissionOf, PLATFORM_FUNCTIONS } from './permission-sets.ts'

/** Whether the customer acted in is the platform's own. */
export const isInPlatform = (actor: Member): boolean =>
  actor.isPlatformStaff && actor.customerId === actor.effectiveCustomerId

/** Who keeps the whole tree of user types: staff in a customer, whose own type is not in it, and super users. */
export const keepsWholeTree = (actor: Member): boolean =>
  actor.isPlatformStaff && (actor.customerId !== actor.effectiveCustomerId || actor.permissions.isSuper)

export const reachesCustomer = (actor: Member): boolean =>
  actor.reach === 'customer' || actor.permissions.isSuper

/**
 * Nobody grants what they do not hold, and nobody in a customer what is the platform's.
 * @throws Failure 400 for functions of the platform, 403 naming the permissions above the ceiling.
 */
export function requireGrantable(actor: Member, wanted: readonly Permission[]): void {
  const alien = isInPlatform(actor) ? [] : wanted.filter(({ func }) => PLATFORM_FUNCTIONS.includes(func))
  if (alien.length > 0) {
    throw refused('Some fields are not right.', {
      permissions: `Only the platform's own people may hold this: ${nameSome(alien)}.`,
    })
  }
  const above = wanted.filter((permission) => !actor.may(permission))
  if (above.length > 0) throw forbidden(`You cannot grant what you do not hold: ${nameSome(above)}.`)
}

/** What is done to others' accounts is done by oneself, never in somebody's skin. */
export function refuseWhileImpersonating(actor: Pick<Member, 'userId' | 'effectiveUserId'>): void {
  if (actor.userId === actor.effectiveUserId) return
  throw forbidden('You are acting as somebody else. Go back to yourself first.')
}

type GrantContext = { id: string; isSuper: boolean; reach: 'organization' | 'customer' }

/**
 * Why the actor may not change these people, a sentence each, or null. A statement or two for all of them, none where
 * nobody can be above the actor. Oneself is not locked: what one may not do to oneself is refused by field.
 */
export async function lockUsers(
  db: Database,
  actor: Member,
  people: readonly GrantContext[],
): Promise<Map<string, string | null>> {
  const ids = people.map(({ id }) => id)
  const [above, elsewhere] = await Promise.all([
    rightsAbove(db, actor, ids),
    membersElsewhere(db, actor, ids),
  ])
  return new Map(
    people.map((person) => [
      person.id,
      reasonToLock(actor, person, {
        above: above.get(person.id) ?? [],
        isElsewhere: elsewhere.has(person.id),
      }),
    ]),
  )
}

function reasonToLock(
  actor: Member,
  person: GrantContext,
  { above, isElsewhere }: { above: readonly Permission[]; isElsewhere: boolean },
): string | null {
  if (person.id === actor.effectiveUserId) return null
  if (person.isSuper && !actor.permissions.isSuper) return 'Only a super user changes a super user.'
  if (person.reach === 'customer' && !reachesCustomer(actor)) {
    return 'Their user type reaches the whole customer, yours one organization.'
  }
  if (isElsewhere) return 'They also work in an organization out of your reach.'
  return above.length > 0 ? `They may do what you may not: ${nameSome(above)}.` : null
}

/**
 * @throws Failure 404 when the person is out of reach, 403 with the reason when the actor may not change them.
 */
export async function refuseLocked(db: Database, actor: Member, userId: string): Promise<void> {
  const person = await db
    .selectFrom('users')
    .innerJoin('userTypes', (join) =>
      join
        .onRef('userTypes.customerId', '=', 'users.customerId')
        .onRef('userTypes.id', '=', 'users.userTypeId'),
    )
    .select(['users.id', 'users.isSuper', 'userTypes.reach'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (person === undefined) throw notFound('Person')
  const lock = (await lockUsers(db, actor, [person])).get(person.id)
  if (typeof lock === 'string') throw forbidden(lock)
}

/**
 * Who of these people works in a sister organization, too. Whoever reaches one organization does not see it, and must
 * not get in there with their account.
 */
async function membersElsewhere(db: Database, actor: Member, ids: readonly string[]): Promise<Set<string>> {
  if (actor.reach !== 'organization' || ids.length === 0) return new Set()
  const { rows } = await sql<{ userId: string }>`
    select e.user_id from members_elsewhere(${[...ids]}::bigint[]) e`.execute(db)
  return new Set(rows.map(({ userId }) => userId))
}

/** What people hold and the actor does not, by person. */
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

/** What user types grant and the actor does not hold, by type. */
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
