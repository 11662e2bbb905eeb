import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Actor, Visit } from '#server/http/actor.ts'
import { refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import { refuseWrongPassword } from './own-password.ts'
import { endSessions } from '../sessions/sessions.ts'
import { forgiveBrowsers } from '../sign-in/known-browsers.ts'
import { forgiveAccount } from '../sign-in/sign-in-failures.ts'
import { storePassword } from './stored-passwords.ts'

/**
 * Changes the actor's own password and ends their other sessions. The old one is guessed at under the same limits as
 * at sign-in: a session left open is no way around them.
 * @throws Failure 400 on oldPassword, 403 in somebody's skin, 429 when the address failed too often.
 */
export async function changePassword(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  { oldPassword, newPassword }: Received<typeof auth.changePassword>,
): Promise<null> {
  refuseWhileImpersonating(actor)
  const { iam } = identity
  const person = { customerId: actor.userCustomerId, id: actor.userId }
  const name = actor.userName.toLowerCase()
  await refuseWrongPassword(identity, visit, actor, {
    password: oldPassword,
    field: 'oldPassword',
    wrong: 'Old Password is not right.',
  })
  await storePassword(identity, person, newPassword)
  await endSessions(iam, { customerId: person.customerId, userId: person.id }, 'password changed', {
    except: actor.sessionId,
  })
  await forgiveAccount(iam, name)
  await forgiveBrowsers(iam, { customerId: person.customerId, userId: person.id })
  await noteEvent(iam, {
    customerId: person.customerId,
    by: actor,
    endpoint: 'auth.changePassword',
    table: 'users',
    rowId: person.id,
    what: 'changed their password',
  })
  return null
}
