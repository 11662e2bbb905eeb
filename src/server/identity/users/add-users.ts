import type { Received } from '#contract/endpoint.ts'
import type { users } from '#contract/identity/users/users.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import { requireGrantable, refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { insertUser } from './user-rows.ts'
import { differencesBetween, isSameSet } from '../user-types/permission-sets.ts'
import { readGrants } from '../user-types/user-type-list.ts'
import {
  explainRefusal,
  reachedOrganizations,
  requireSuperUser,
  lockAssignableType,
  requireAdminister,
} from './user-input.ts'
import { storeDifferences } from './user-rights.ts'

/**
 * Adds a user to the current customer, with memberships and permission overrides.
 * @returns the user's ID.
 * @throws Failure 400, 403 for permissions the actor lacks or while impersonating, 409 if the user name is
 * taken.
 */
export async function addUser(
  db: Database,
  actor: Member,
  { user, permissions, sendsPasswordMail }: Received<typeof users.add>,
): Promise<string> {
  refuseWhileImpersonating(actor)
  if (user.isSuper) requireSuperUser(actor)
  if (sendsPasswordMail && !user.isActive) {
    throw refused('Some fields are invalid.', {
      sendsPasswordMail: "You can't send a password email to a deactivated user.",
    })
  }
  const organizationIds = await reachedOrganizations(db, actor, user.organizationIds)
  await lockAssignableType(db, actor, user.userTypeId)
  const grants = await readGrants(db, actor, user.userTypeId)
  const wanted = permissions ?? grants
  if (!isSameSet(wanted, grants)) requireAdminister(actor)
  requireGrantable(actor, wanted)
  const id = await explainRefusal(
    insertUser(db, {
      ...user,
      organizationIds,
      customerId: actor.customerId,
      phone: user.phone ?? null,
      jobTitle: user.jobTitle ?? null,
    }),
  )
  await storeDifferences(db, id, differencesBetween(grants, wanted))
  return id
}
