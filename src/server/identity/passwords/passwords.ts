import { hash, verify } from '@node-rs/argon2'

// OWASP password storage: argon2id (the library's default), 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Without a hash (no such account) it does the same work and answers false, so that the time tells nothing. */
type Matches = (hashed: string | null, password: string) => Promise<boolean>

export type Passwords = {
  hash: (password: string) => Promise<string>
  matches: Matches
  /**
   * Gives `work` a lane for itself, with a comparison that waits for no other. What a guess looks up before and notes
   * after it belongs inside: guesses sent all at once then meet what the first ones noted.
   */
  inLane: <T>(work: (matches: Matches) => Promise<T>) => Promise<T>
  /** Whether a hash was made with weaker settings than today's. */
  isOutdated: (hashed: string) => boolean
}

/** At most `lanes` hashes run at once (one a core); the others wait in line and leave the event loop free. */
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
