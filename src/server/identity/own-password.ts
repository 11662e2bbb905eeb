import type { Actor, Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import type { Identity } from './identity.ts'
import {
  addressKey,
  addressWait,
  countAccountFailure,
  countAddressFailure,
  mustAccountWait,
} from './sign-in-failures.ts'

const WAITING = 'After several wrong tries, wait a little before the next.'

type Given = {
  password: string
  /** The name of the field it stands in, and the sentence when it is wrong. */
  field: string
  wrong: string
}

/**
 * Goes on only where the actor's own password was given. It is guessed at under the same limits as at sign-in: a
 * session left open is no way around them.
 * @throws Failure 400 on its field, 429 when the address failed too often.
 */
export async function refuseWrongPassword(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  { password, field, wrong }: Given,
): Promise<void> {
  const { iam, passwords } = identity
  const name = actor.userName.toLowerCase()
  const refusal = await passwords.inLane(async (matches) => {
    const key = addressKey(visit.ip)
    const [wait, mustWait, stored] = await Promise.all([
      addressWait(iam, key, identity.settings.signInFailuresPerMinute),
      mustAccountWait(iam, name),
      readHash(identity, { customerId: actor.userCustomerId, id: actor.userId }),
    ])
    if (wait !== null) throw tooMany('Too many tries from this address. Wait a minute and try again.', wait)
    if (mustWait) return WAITING
    if (await matches(stored, password)) return null
    await Promise.all([countAccountFailure(iam, name), countAddressFailure(iam, key)])
    return wrong
  })
  if (refusal !== null) throw refused('Some fields are not right.', { [field]: refusal })
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
