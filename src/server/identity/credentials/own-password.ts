import type { Actor, Visit } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import type { UserRow } from './factor-state.ts'
import { readGuessLimits } from './guess-limits.ts'
import type { Identity } from '../identity.ts'
import { formatWait } from './sign-in-failures.ts'

type PasswordInput = {
  password: string
  /** Name of the field, and the message if the password is wrong. */
  field: string
  wrong: string
}

/**
 * Rejects the call unless the actor's own password was given. Guesses are limited as at sign-in, so that an
 * open session can't be used to guess it.
 * @returns the hash that the password was compared with.
 * @throws Failure 400 with the sentence, also on its field, 429 after too many failures, of their own or from the address.
 */
export async function refuseWrongPassword(
  identity: Identity,
  visit: Visit,
  actor: Actor,
  { password, field, wrong }: PasswordInput,
): Promise<string> {
  const user = { customerId: actor.userCustomerId, userId: actor.userId }
  const compared = await identity.passwords.inLane(async (matches) => {
    const [limits, stored] = await Promise.all([
      readGuessLimits(identity, visit, { name: actor.userName.toLowerCase(), user }),
      readHash(identity, user),
    ])
    if (limits.addressWait !== null) {
      const sentence = 'Too many attempts from this address. Wait a minute and try again.'
      throw tooMany(sentence, limits.addressWait)
    }
    if (limits.nameWait !== null) {
      const sentence = `Too many incorrect attempts. Wait ${formatWait(limits.nameWait)} and try again.`
      throw tooMany(sentence, limits.nameWait, { [field]: sentence })
    }
    if ((await matches(stored, password)) && stored !== null) return stored
    await limits.countFailure()
    return null
  })
  if (compared === null) throw refused(wrong, { [field]: wrong })
  return compared
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
