import type { Visit } from '#server/http/actor.ts'
import type { UserRow } from './factor-state.ts'
import type { Identity } from '../identity.ts'
import { countBrowserFailure, findKnownBrowser } from './known-browsers.ts'
import {
  addressKey,
  addressWait,
  countAccountFailure,
  countAddressFailure,
  mustAccountWait,
} from './sign-in-failures.ts'

/** The limits that apply to a password guess. */
export type GuessLimits = {
  /** Seconds until the address may try again; null if it may now. */
  addressWait: number | null
  /** The guess is rejected without being compared, with the message of a wrong password. */
  mustWait: boolean
  /** Counts a wrong guess. */
  countFailure: () => Promise<void>
}

/**
 * A browser on which the user signed in before has limits of its own: failures for the account elsewhere, or
 * from the same address, don't block it. All others share the limits of the account and of the address.
 * `name`: the name under which failures of the account are counted, whether the account exists or not.
 */
export async function readGuessLimits(
  { iam, settings }: Identity,
  visit: Visit,
  { name, user }: { name: string; user: UserRow | null },
): Promise<GuessLimits> {
  const known = user === null ? null : await findKnownBrowser(iam, visit, user)
  if (user !== null && known !== null) {
    const countFailure = known.mustWait ? async () => {} : () => countBrowserFailure(iam, visit, user)
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
