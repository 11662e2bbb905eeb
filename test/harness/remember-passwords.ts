import type { Passwords } from '#server/identity/passwords/passwords.ts'

const outcomes = new Map<string, boolean>()
const hashes = new Map<string, Promise<string>>()

function remember(matches: Passwords['matches']): Passwords['matches'] {
  return async (hashed, password) => {
    const key = JSON.stringify([hashed, password])
    const known = outcomes.get(key)
    if (known !== undefined) return known
    const isRight = await matches(hashed, password)
    // Some tests measure the decoy comparison for unknown accounts, so it is not cached.
    if (hashed !== null) outcomes.set(key, isRight)
    return isRight
  }
}

/**
 * Caches password comparisons: the demo users sign in hundreds of times, and a comparison takes 40 ms by design.
 */
export function rememberComparisons(passwords: Passwords): void {
  const { matches, inLane } = passwords
  passwords.matches = remember(matches)
  passwords.inLane = (work) => inLane((compare) => work(remember(compare)))
}

/** Caches password hashes, so that all users a test adds with the same password have the same hash. */
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
