import { createHmac, randomBytes } from 'node:crypto'
import { clock } from '#server/clock.ts'
import { addressKey } from '#server/identity/index.ts'

/** A person who opens several links of a customer takes longer; a scanner opens all links of an email at once. */
const WINDOW_MS = 10_000
const MOST_KEYS = 3
const MOST_NETWORKS = 20_000
const DAY_MS = 86_400_000

/** Makes a click that was counted before one of a bot. */
type MakeBot = () => void
type Network = { until: number; keys: Set<string>; before: MakeBot[] }

/**
 * Finds networks that open many keys of a customer within seconds. Networks are kept for that long, only in memory, and as a
 * fingerprint with a salt that changes every day.
 */
export function makeBurstFinder() {
  const networks = new Map<string, Network>()
  let salt = { day: 0, bytes: randomBytes(32) }
  const fingerprint = (customerId: string, ip: string): string => {
    const day = Math.floor(clock.now() / DAY_MS)
    if (day !== salt.day) salt = { day, bytes: randomBytes(32) }
    return createHmac('sha256', salt.bytes)
      .update(`${customerId} ${addressKey(ip)}`)
      .digest('base64url')
  }
  const networkOf = (name: string): Network => {
    const now = clock.now()
    const known = networks.get(name)
    networks.delete(name)
    for (const [one, { until }] of networks) {
      if (until > now && networks.size < MOST_NETWORKS) break
      networks.delete(one)
    }
    const current =
      known === undefined || known.until <= now ? { until: 0, keys: new Set<string>(), before: [] } : known
    // From its last click on, so that a slow scanner stays one.
    current.until = now + WINDOW_MS
    networks.set(name, current)
    return current
  }
  /**
   * Whether a click belongs to such a burst. The clicks before it do, too.
   * @param makeBot called if that turns out later
   */
  return (
    { customerId, ip, key }: { customerId: string; ip: string; key: string },
    makeBot: MakeBot,
  ): boolean => {
    const network = networkOf(fingerprint(customerId, ip))
    if (network.keys.size <= MOST_KEYS) network.keys.add(key)
    if (network.keys.size <= MOST_KEYS) {
      // One key again and again is no burst.
      if (network.before.length < 100) network.before.push(makeBot)
      return false
    }
    for (const one of network.before.splice(0)) one()
    return true
  }
}
