import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Actor, Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import { refuseInSkin } from './ceiling.ts'
import { noteEvent } from './events.ts'
import type { Identity } from './identity.ts'
import { endSessions } from './sessions.ts'
import {
  addressKey,
  addressWait,
  countAccountFailure,
  countAddressFailure,
  forgiveAccount,
  mustAccountWait,
} from './sign-in-failures.ts'
import { storePassword } from './stored-passwords.ts'

const WRONG = 'Old Password is not right.'
const WAITING = 'After several wrong tries, wait a little before the next.'

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
  refuseInSkin(actor)
  const { iam, passwords } = identity
  const person = { customerId: actor.userCustomerId, id: actor.userId }
  const name = actor.userName.toLowerCase()
  const refusal = await passwords.inLane(async (matches) => {
    const key = addressKey(visit.ip)
    const [wait, mustWait, stored] = await Promise.all([
      addressWait(iam, key, identity.settings.signInFailuresPerMinute),
      mustAccountWait(iam, name),
      readHash(identity, person),
    ])
    if (wait !== null) throw tooMany('Too many tries from this address. Wait a minute and try again.', wait)
    if (mustWait) return WAITING
    if (await matches(stored, oldPassword)) return null
    await Promise.all([countAccountFailure(iam, name), countAddressFailure(iam, key)])
    return WRONG
  })
  if (refusal !== null) throw refused('Some fields are not right.', { oldPassword: refusal })
  await storePassword(identity, person, newPassword)
  await endSessions(iam, { customerId: person.customerId, userId: person.id }, 'password changed', {
    except: actor.sessionId,
  })
  await forgiveAccount(iam, name)
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

async function readHash({ iam }: Identity, of: { customerId: string; id: string }): Promise<string | null> {
  const row = await iam
    .selectFrom('iam.credentials')
    .select('passwordHash')
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.id)
    .executeTakeFirst()
  return row?.passwordHash ?? null
}
