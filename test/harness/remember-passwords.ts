import type { Passwords } from '#server/identity/passwords/passwords.ts'

const outcomes = new Map<string, boolean>()
const hashes = new Map<string, Promise<string>>()

function remember(matches: Passwords['matches']): Passwords['matches'] {
  return async (hashed, password) => {
    const key = JSON.stringify([hashed, password])
    const known = outcomes.get(key)
    if (known !== undefined) return known
    const isRight = await matches(hashed, password)
    // The decoy's work, for an account that is not there, is what some tests look at.
    if (hashed !== null) outcomes.set(key, isRight)
    return isRight
  }
}

/**
 * Comparing a password with the same hash again takes no work: the demo people sign in hundreds of times, and a
 * comparison costs 40 ms on purpose.
 */
export function rememberComparisons(passwords: Passwords): void {
  const { matches, inLane } = passwords
  passwords.matches = remember(matches)
  passwords.inLane = (work) => inLane((compare) => work(remember(compare)))
}

/** Everybody whom a test adds has the same hash of the same password. */
export function rememberHashes(passwords: Passwords): Passwords {
  return {
    ...passwords,
    hash(password) {
      const hash = hashes.get(password) ?? passwords.hash(password)
      hashes.set(password, hash)
      return hash
    },
  }
}
