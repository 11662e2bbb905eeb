import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'
import { refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { lockUser, refuseLast } from './update-users.ts'
import { readUser } from './user-list.ts'

/**
 * Deletes a user with their sessions, password and memberships. Their name stays in the audit log.
 * @throws Failure 404, 403 if the actor can't change them or for oneself, 409 for the last super user.
 */
export async function removeUser(db: Database, actor: Member, id: string): Promise<void> {
  const isLast = await lockUser(db, actor, id)
  const user = await readUser(db, actor, id)
  refuseWhileImpersonating(actor)
  if (id === actor.effectiveUserId) throw forbidden("You can't delete yourself.")
  if (user.lock !== null) throw forbidden(user.lock)
  if (user.isSuper && isLast) refuseLast()
  await db.deleteFrom('users').where('id', '=', id).execute()
}
