import type { Visit } from '#server/http/actor.ts'
import type { UserRow } from './factor-state.ts'
import type { Identity } from '../identity.ts'
import { countBrowserFailure, findKnownBrowser } from './known-browsers.ts'
import {
  accountWaits,
  addressKey,
  addressWait,
  countAccountFailure,
  countAddressFailure,
} from './sign-in-failures.ts'

/** The limits that apply to a password guess. */
export type GuessLimits = {
  /** Seconds until the address may try again; null if it may now. */
  addressWait: number | null
  /** Seconds until this name may be tried again from here; null if it may now. The caller may be told. */
  nameWait: number | null
  /**
   * The guess is rejected without being compared, with the message of a wrong password: it was named otherwise than in the
   * failures, so a wait would tell which names are those of one account.
   */
  mustWait: boolean
  /** Counts a wrong guess. */
  countFailure: () => Promise<void>
}

/**
 * A browser on which the user signed in before has limits of its own: failures for the account elsewhere, or
 * from the same address, don't block it. All others share the limits of the account in their network, and of the address.
 * `name`: the name under which failures of the account are counted, whether the account exists or not. `typed`: what was
 * entered, if it may be another one, such as the email address.
 */
export async function readGuessLimits(
  { iam, settings }: Identity,
  visit: Visit,
  { name, typed = name, user }: { name: string; typed?: string; user: UserRow | null },
): Promise<GuessLimits> {
  const known = user === null ? null : await findKnownBrowser(iam, visit, user)
  if (user !== null && known !== null) {
    const { wait } = known
    const countFailure = wait !== null ? async () => {} : () => countBrowserFailure(iam, visit, user)
    return { addressWait: null, nameWait: wait, mustWait: false, countFailure }
  }
  const network = addressKey(visit.ip)
  const names = [...new Set([typed, name])]
  const [wait, waits] = await Promise.all([
    addressWait(iam, network, settings.signInFailuresPerMinute),
    accountWaits(iam, { names, network }),
  ])
  const countFailure = async () => {
    const counted = names.filter((one) => !waits.has(one))
    await Promise.all([
      countAccountFailure(iam, { names: counted, network }),
      countAddressFailure(iam, network),
    ])
  }
  return { addressWait: wait, nameWait: waits.get(typed) ?? null, mustWait: waits.size > 0, countFailure }
}
