import { sql, type Kysely } from 'kysely'
import { can, describe, Func, Opr, type Permission } from '#contract/permissions.ts'
import type { DB } from '#server/database/schema.ts'
import { forbidden, notFound, type Failure } from '#server/http/failure.ts'
import type { Identity } from '../identity.ts'
import type { OwnRights } from '../user-types/permission-cache.ts'
import { nameSome } from '../user-types/permission-sets.ts'

/** Somebody as impersonating asks about them. */
export type UserRow = {
  customerId: string
  id: string
  fullName: string
  firstName: string
  userName: string
  email: string
  /** They and their customer are switched on. */
  mayEnter: boolean
  isSuper: boolean
  isPlatform: boolean
  userTypeId: string
  reach: 'organization' | 'customer'
  organizationIds: string[]
  permissionsVersion: string
  /** Of their customer's first domain. */
  domain: string | null
  title: string | null
}

/** Whoever wants into a skin, and where they stand. */
export type Asker = {
  userId: string
  isSuper: boolean
  may: (permission: Permission) => boolean
  reach: 'organization' | 'customer'
  customerId: string
  organizationId: string | null
}

export const MAY_IMPERSONATE = can(Func.impersonation, Opr.execute)

/**
 * Why somebody may not act as a person; null where they may. A super user acts as whoever is no super user; others with
 * (4, 7) as people they reach in the customer they work in, whose rights are no more than theirs. Whoever is out of
 * reach is not there.
 */
export function whyNotImpersonate(
  asker: Asker,
  person: UserRow | null,
  held: readonly Permission[],
): Failure | null {
  if (!asker.isSuper && !asker.may(MAY_IMPERSONATE)) {
    return forbidden(`You may not do this. It needs ${describe(MAY_IMPERSONATE)}.`)
  }
  if (person === null || !(asker.isSuper || isReached(asker, person))) return notFound('Person')
  if (person.id === asker.userId) return forbidden('This is your own account.')
  if (person.isSuper) return forbidden('Nobody acts as a super user.')
  if (!person.mayEnter) {
    return forbidden(`${person.fullName} may not sign in, so nobody acts as them.`)
  }
  if (asker.isSuper) return null
  if (person.reach === 'customer' && asker.reach !== 'customer') {
    return forbidden('Their user type reaches the whole customer, yours one organization.')
  }
  const isElsewhere = person.organizationIds.some((id) => id !== asker.organizationId)
  if (asker.reach === 'organization' && isElsewhere) {
    return forbidden('They also work in an organization out of your reach.')
  }
  const above = held.filter((permission) => !asker.may(permission))
  return above.length > 0 ? forbidden(`They may do what you may not: ${nameSome(above)}.`) : null
}

function isReached(asker: Asker, person: UserRow): boolean {
  if (person.customerId !== asker.customerId) return false
  return asker.reach === 'customer' || person.organizationIds.some((id) => id === asker.organizationId)
}

/** A person by their number, in whichever customer. */
export async function readUserRow(iam: Kysely<DB>, id: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select u.customer_id, u.id, u.first_name || ' ' || u.last_name as full_name, u.first_name, u.user_name, u.email,
      u.is_active and home.status = 'active' as may_enter, u.is_super, home.is_platform, u.user_type_id, t.reach,
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

/** What a person may do right now. */
export function rightsOfUser({ rightsOf }: Pick<Identity, 'rightsOf'>, person: UserRow): Promise<OwnRights> {
  return rightsOf({
    customerId: person.customerId,
    userId: person.id,
    userTypeId: person.userTypeId,
    isSuper: person.isSuper && person.isPlatform,
    isPlatform: person.isPlatform,
    version: person.permissionsVersion,
  })
}

/**
 * Whether somebody may still act as another, for work that goes on without them.
 * @param at where that work is done.
 */
export async function mayStillImpersonate(
  identity: Pick<Identity, 'iam' | 'rightsOf'>,
  { actorUserId, effectiveUserId }: { actorUserId: string; effectiveUserId: string },
  at: { customerId: string; organizationId: string },
): Promise<boolean> {
  const [actor, person] = await Promise.all([
    readUserRow(identity.iam, actorUserId),
    readUserRow(identity.iam, effectiveUserId),
  ])
  if (actor === null || person === null) return false
  const isPlaced = actor.isPlatform || actor.customerId === at.customerId
  const [own, theirs] = await Promise.all([rightsOfUser(identity, actor), rightsOfUser(identity, person)])
  const asker = {
    ...at,
    userId: actor.id,
    isSuper: own.permissions.isSuper,
    may: own.may,
    reach: actor.reach,
  }
  return isPlaced && whyNotImpersonate(asker, person, theirs.permissions.permissions) === null
}
