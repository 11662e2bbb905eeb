import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden } from '#server/http/failure.ts'
import { refuseInSkin } from './ceiling.ts'
import type { Identity } from './identity.ts'
import { lockUser, refuseLast } from './users-change.ts'
import { readUser } from './users-list.ts'

/**
 * Deletes a person; their sessions, password and memberships go with the row. The audit log keeps their name.
 * @throws Failure 404, 403 above the ceiling or for oneself, 409 for the last super user.
 */
export async function removeUser({ iam }: Identity, db: Database, actor: Member, id: string): Promise<void> {
  const isLast = await lockUser(db, id)
  const person = await readUser(db, actor, id)
  refuseInSkin(actor)
  if (id === actor.effectiveUserId) throw forbidden('You cannot delete yourself.')
  if (person.lock !== null) throw forbidden(person.lock)
  if (person.isSuper && isLast) refuseLast()
  if (actor.reach === 'organization') await refuseMemberElsewhere(iam, actor, id)
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** Who works in a sister organization, too, is not one rooftop's to delete. Only identity sees that they do. */
async function refuseMemberElsewhere(iam: Identity['iam'], actor: Member, userId: string): Promise<void> {
  const elsewhere = await iam
    .selectFrom('memberships')
    .select('organizationId')
    .where('customerId', '=', actor.customerId)
    .where('userId', '=', userId)
    .where('organizationId', '!=', actor.organizationId)
    .limit(1)
    .executeTakeFirst()
  if (elsewhere === undefined) return
  throw conflict(
    'This person also works in an organization out of your reach. Ask somebody who reaches the whole customer.',
  )
}
