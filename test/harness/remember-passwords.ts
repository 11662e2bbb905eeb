import { DEMO_PASSWORD } from '../../demo/world.ts'
import type { Passwords } from '#server/identity/passwords/passwords.ts'

const outcomes = new Map<string, boolean>()
let demoHash: Promise<string> | null = null

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
 * Caches password comparisons, because the demo users sign in hundreds of times, and the hash of the demo password, which
 * users get whom a test adds. Both take 40 ms by design.
 */
export function rememberPasswords(passwords: Passwords): void {
  const { hash, matches, inLane } = passwords
  passwords.hash = (password) => {
    if (password !== DEMO_PASSWORD) return hash(password)
    demoHash ??= hash(password)
    return demoHash
  }
  passwords.matches = remember(matches)
  passwords.inLane = (work) => inLane((compare) => work(remember(compare)))
}
