import type { Actor, Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import type { UserRow } from '../second-factor/factor-state.ts'
import { readGuessLimits } from '../sign-in/guess-limits.ts'
import type { Identity } from '../identity.ts'

const WAITING = 'After several wrong tries, wait a little before the next.'

type PasswordInput = {
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
  { password, field, wrong }: PasswordInput,
): Promise<void> {
  const person = { customerId: actor.userCustomerId, userId: actor.userId }
  const refusal = await identity.passwords.inLane(async (matches) => {
    const [limits, stored] = await Promise.all([
      readGuessLimits(identity, visit, { name: actor.userName.toLowerCase(), person }),
      readHash(identity, person),
    ])
    if (limits.addressWait !== null) {
      const sentence = 'Too many tries from this address. Wait a minute and try again.'
      throw tooMany(sentence, limits.addressWait)
    }
    if (limits.mustWait) return WAITING
    if (await matches(stored, password)) return null
    await limits.countFailure()
    return wrong
  })
  if (refusal !== null) throw refused('Some fields are not right.', { [field]: refusal })
}

async function readHash({ iam }: Identity, of: UserRow): Promise<string | null> {
  const row = await iam
    .selectFrom('iam.credentials')
    .select('passwordHash')
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .executeTakeFirst()
  return row?.passwordHash ?? null
}
