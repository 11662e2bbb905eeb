import { sql, type Kysely } from 'kysely'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import type { DB } from '#server/database/schema.ts'
import { forbidden, notFound, type Failure } from '#server/http/failure.ts'
import { missing } from '#server/http/require-permission.ts'
import type { Identity } from '../identity.ts'
import type { OwnRights } from '../user-types/permission-cache.ts'
import { ofHigherType } from '../user-types/grant-limits.ts'
import { nameSome } from '../user-types/permission-sets.ts'

/** A user with the fields that the impersonation rules check. */
export type UserRow = {
  customerId: string
  id: string
  fullName: string
  firstName: string
  userName: string
  email: string
  /** The user and their customer are active. */
  mayEnter: boolean
  isSuper: boolean
  isPlatform: boolean
  userTypeId: string
  userTypeName: string
  /** Their user type and those above it. */
  typesUpward: string[]
  reach: 'organization' | 'customer'
  organizationIds: string[]
  permissionsVersion: string
  /** From their customer's first domain. */
  domain: string | null
  title: string | null
}

/** The user who wants to impersonate, and where they are working. */
export type Requester = {
  userId: string
  isSuper: boolean
  may: (permission: Permission) => boolean
  reach: 'organization' | 'customer'
  userTypeId: string
  /** The customer they belong to; for platform staff it can differ from the one they work in. */
  userCustomerId: string
  customerId: string
  organizationId: string | null
}

export const MAY_IMPERSONATE = can(Func.impersonation, Opr.execute)

/**
 * Why a user can't be impersonated; null if they can. Super users can impersonate anyone except super users.
 * Others need (4, 7) and can impersonate users they can access in the current customer, whose permissions
 * don't exceed their own and whose user type is their own or below it. Users they can't access are reported as not found.
 */
export function whyNotImpersonate(
  requester: Requester,
  user: UserRow | null,
  held: readonly Permission[],
): Failure | null {
  if (!requester.isSuper && !requester.may(MAY_IMPERSONATE)) {
    return missing(requester, MAY_IMPERSONATE)
  }
  if (user === null || !(requester.isSuper || isAccessible(requester, user))) return notFound('User')
  if (user.id === requester.userId) return forbidden('This is your own account.')
  if (user.isSuper) return forbidden("Super users can't be impersonated.")
  if (!user.mayEnter) {
    return forbidden(`${user.fullName} can't sign in, so you can't impersonate them.`)
  }
  if (requester.isSuper) return null
  if (user.reach === 'customer' && requester.reach !== 'customer') {
    return forbidden('Their user type covers all organizations. Yours covers one.')
  }
  const isElsewhere = user.organizationIds.some((id) => id !== requester.organizationId)
  if (requester.reach === 'organization' && isElsewhere) {
    return forbidden("They also belong to an organization you can't access.")
  }
  const above = held.filter((permission) => !requester.may(permission))
  if (above.length > 0) return forbidden(`They have permissions you don't have: ${nameSome(above)}.`)
  const isInTheirTree = requester.userCustomerId === user.customerId
  return isInTheirTree && !user.typesUpward.includes(requester.userTypeId)
    ? forbidden(ofHigherType(user.userTypeName))
    : null
}

function isAccessible(requester: Requester, user: UserRow): boolean {
  if (user.customerId !== requester.customerId) return false
  return requester.reach === 'customer' || user.organizationIds.some((id) => id === requester.organizationId)
}

/** Reads a user by ID, from any customer. */
export async function readUserRow(iam: Kysely<DB>, id: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select u.customer_id, u.id, u.first_name || ' ' || u.last_name as full_name, u.first_name, u.user_name, u.email,
      u.is_active and home.status = 'active' as may_enter, u.is_super, home.is_platform, u.user_type_id, t.name as user_type_name, t.reach,
      array(with recursive upward as (
          select t.id, t.parent_id
          union all
          select p.id, p.parent_id from user_types p join upward c on p.customer_id = u.customer_id and p.id = c.parent_id)
        select id::text from upward) as types_upward,
      array(select m.organization_id::text from memberships m
        where m.customer_id = u.customer_id and m.user_id = u.id) as organization_ids,
      coalesce(v.version, 0) as permissions_version, brand.domain, brand.title
    from users u
    join customers home on home.id = u.customer_id
    join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
    left join iam.permission_versions v on v.customer_id = u.customer_id
    left join lateral (select w.domain, w.title from white_labels w where w.customer_id = u.customer_id
      order by w.id limit 1) brand on true
    where u.id = ${id}`.execute(iam)
  return rows[0] ?? null
}

/** A user's current permissions. */
export function rightsOfUser({ rightsOf }: Pick<Identity, 'rightsOf'>, user: UserRow): Promise<OwnRights> {
  return rightsOf({
    customerId: user.customerId,
    userId: user.id,
    userTypeId: user.userTypeId,
    isSuper: user.isSuper && user.isPlatform,
    isPlatform: user.isPlatform,
    version: user.permissionsVersion,
  })
}

/**
 * Whether a user may still impersonate another, for background work that continues without them.
 * @param at where the work is done.
 */
export async function mayStillImpersonate(
  identity: Pick<Identity, 'iam' | 'rightsOf'>,
  { actorUserId, effectiveUserId }: { actorUserId: string; effectiveUserId: string },
  at: { customerId: string; organizationId: string },
): Promise<boolean> {
  const [actor, user] = await Promise.all([
    readUserRow(identity.iam, actorUserId),
    readUserRow(identity.iam, effectiveUserId),
  ])
  if (actor === null || user === null) return false
  const isInCustomer = actor.isPlatform || actor.customerId === at.customerId
  const [own, theirs] = await Promise.all([rightsOfUser(identity, actor), rightsOfUser(identity, user)])
  const requester = {
    ...at,
    userId: actor.id,
    isSuper: own.permissions.isSuper,
    may: own.may,
    reach: actor.reach,
    userTypeId: actor.userTypeId,
    userCustomerId: actor.customerId,
  }
  return isInCustomer && whyNotImpersonate(requester, user, theirs.permissions.permissions) === null
}
