import type { Visit } from '#server/http/actor.ts'
import type { UserRow } from '../second-factor/factor-state.ts'
import type { Identity } from '../identity.ts'
import { countBrowserFailure, findKnownBrowser } from './known-browsers.ts'
import {
  addressKey,
  addressWait,
  countAccountFailure,
  countAddressFailure,
  mustAccountWait,
} from './sign-in-failures.ts'

/** Under what a guess at a password falls. */
export type GuessLimits = {
  /** Seconds until the address may try again; null: now. */
  addressWait: number | null
  /** The guess is refused without being compared, with the words of a wrong one. */
  mustWait: boolean
  /** Notes that the guess was wrong. */
  countFailure: () => Promise<void>
}

/**
 * The limits of a browser on which the person signed in before are its own: whoever fails for the account elsewhere, or at
 * the same address, does not make it wait. All others share those of the account and of the address.
 * `name`: what failures of the account count for, whether there is such an account or not.
 */
export async function readGuessLimits(
  { iam, settings }: Identity,
  visit: Visit,
  { name, person }: { name: string; person: UserRow | null },
): Promise<GuessLimits> {
  const known = person === null ? null : await findKnownBrowser(iam, visit, person)
  if (person !== null && known !== null) {
    const countFailure = known.mustWait ? async () => {} : () => countBrowserFailure(iam, visit, person)
    return { addressWait: null, mustWait: known.mustWait, countFailure }
  }
  const key = addressKey(visit.ip)
  const [wait, mustWait] = await Promise.all([
    addressWait(iam, key, settings.signInFailuresPerMinute),
    mustAccountWait(iam, name),
  ])
  const countFailure = async () => {
    await Promise.all([mustWait ? null : countAccountFailure(iam, name), countAddressFailure(iam, key)])
  }
  return { addressWait: wait, mustWait, countFailure }
}
