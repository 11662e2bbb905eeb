import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Actor, Visit } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import { refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import { notifyAccountOwner } from '../owner-mail.ts'
import { refuseWrongPassword } from '../credentials/own-password.ts'
import { endSessions } from '../sessions/sessions.ts'
import { clearFactorLimits } from '../credentials/factor-tries.ts'
import { clearBrowserFailures } from '../credentials/known-browsers.ts'
import { clearAccountFailures } from '../credentials/sign-in-failures.ts'
import { replacePassword } from '../credentials/stored-passwords.ts'

const SAME = 'This is your current password. Choose another one.'

/**
 * Changes the actor's password and ends their other sessions. Guesses of the old password are limited as at
 * sign-in, so that an open session can't be used to guess it.
 * @throws Failure 400 on oldPassword, or on newPassword if it is the same, 403 while impersonating, 429 after too many failures from the address.
 */
export async function changePassword(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  { oldPassword, newPassword }: Received<typeof auth.changePassword>,
): Promise<null> {
  refuseWhileImpersonating(actor)
  const { iam } = identity
  const user = { customerId: actor.userCustomerId, id: actor.userId }
  const name = actor.userName.toLowerCase()
  let isChanged = false
  while (!isChanged) {
    // Compared again if the stored one was replaced in the meantime: by another change, or by a new hash of the same one.
    // oxlint-disable-next-line no-await-in-loop
    const compared = await refuseWrongPassword(identity, visit, actor, {
      password: oldPassword,
      field: 'oldPassword',
      wrong: 'Old Password is incorrect.',
    })
    // After the old one was proven right, so that this tells nothing about it.
    if (newPassword === oldPassword) throw refused(SAME, { newPassword: SAME })
    // oxlint-disable-next-line no-await-in-loop
    isChanged = await replacePassword(identity, user, { password: newPassword, compared })
  }
  await endSessions(iam, { customerId: user.customerId, userId: user.id }, 'password changed', {
    except: actor.sessionId,
  })
  await clearAccountFailures(iam, name)
  await clearBrowserFailures(iam, { customerId: user.customerId, userId: user.id })
  await clearFactorLimits(iam, { customerId: user.customerId, userId: user.id })
  await noteEvent(iam, {
    customerId: user.customerId,
    by: actor,
    endpoint: 'auth.changePassword',
    table: 'users',
    rowId: user.id,
    what: 'changed their password',
  })
  await notifyAccountOwner(
    identity,
    { customerId: user.customerId, userId: user.id },
    { what: 'Your password was changed. Your other sessions were ended.', origin: actor.origin },
  )
  return null
}
