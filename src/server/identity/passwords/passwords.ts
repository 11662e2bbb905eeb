import { hash, verify } from '@node-rs/argon2'

// OWASP password storage: argon2id (the library's default), 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Without a hash (no such account) it does the same work and returns false, so that the time reveals nothing.
 */
type Matches = (hashed: string | null, password: string) => Promise<boolean>

export type Passwords = {
  hash: (password: string) => Promise<string>
  matches: Matches
  /**
   * Runs `work` in its own lane, with a comparison that doesn't wait for another lane. Checking the limits
   * before a guess and counting it afterward belong inside: then concurrent guesses see the failures counted
   * by the first ones.
   */
  inLane: <T>(work: (matches: Matches) => Promise<T>) => Promise<T>
  /** Whether a hash was made with weaker settings than the current ones. */
  isOutdated: (hashed: string) => boolean
}

/** At most `lanes` hashes run at once (one per core). The others wait without blocking the event loop. */
export function makePasswords(lanes: number): Passwords {
  let running = 0
  const waiting: (() => void)[] = []
  const takeLane = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= lanes) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
  let decoy: Promise<string> | null = null
  const compare: Matches = async (hashed, password) => {
    if (hashed !== null) return verify(hashed, password)
    decoy ??= hash('no such account', cost)
    await verify(await decoy, password)
    return false
  }
  return {
    hash: (password) => takeLane(() => hash(password, cost)),
    matches: (hashed, password) => takeLane(() => compare(hashed, password)),
    inLane: (work) => takeLane(() => work(compare)),
    isOutdated: (hashed) =>
      !hashed.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`),
  }
}
