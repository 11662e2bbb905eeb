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
  refuseSuper,
  refuseUserType,
  refuseWithoutAdminister,
} from './user-input.ts'
import { storeDifferences } from './user-rights.ts'

/**
 * Adds a person to the customer acted in, with memberships and differences from the type.
 * @returns the person's number.
 * @throws Failure 400, 403 above the actor's ceiling or in somebody's skin, 409 when the user name is taken.
 */
export async function addUser(
  db: Database,
  actor: Member,
  { user, permissions, sendsPasswordMail }: Received<typeof users.add>,
): Promise<string> {
  refuseWhileImpersonating(actor)
  if (user.isSuper) refuseSuper(actor)
  if (sendsPasswordMail && !user.isActive) {
    throw refused('Some fields are not right.', {
      sendsPasswordMail: 'A person who may not sign in gets no mail to set a password.',
    })
  }
  const organizationIds = await reachedOrganizations(db, actor, user.organizationIds)
  await refuseUserType(db, actor, user.userTypeId)
  const grants = await readGrants(db, actor, user.userTypeId)
  const wanted = permissions ?? grants
  if (!isSameSet(wanted, grants)) refuseWithoutAdminister(actor)
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
