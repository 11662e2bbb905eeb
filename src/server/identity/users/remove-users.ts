import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'
import { refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { lockUser, refuseLast } from './update-users.ts'
import { readUser } from './user-list.ts'

/**
 * Deletes a person; their sessions, password and memberships go with the row. The audit log keeps their name.
 * @throws Failure 404, 403 above the ceiling or for oneself, 409 for the last super user.
 */
export async function removeUser(db: Database, actor: Member, id: string): Promise<void> {
  const isLast = await lockUser(db, actor, id)
  const person = await readUser(db, actor, id)
  refuseWhileImpersonating(actor)
  if (id === actor.effectiveUserId) throw forbidden('You cannot delete yourself.')
  if (person.lock !== null) throw forbidden(person.lock)
  if (person.isSuper && isLast) refuseLast()
  await db.deleteFrom('users').where('id', '=', id).execute()
}
