/** What an owner may pass at once after a rest, in milliseconds of its speed. */
const BURST_MS = 50

/** Waits until an owner may pass these bytes. */
export type Pace = (owner: string, bytes: number) => Promise<void>

/**
 * Limits how fast bytes of one owner are taken, however many streams bring them: taking 30 MB as fast as a network in the same
 * house sends them would keep everyone else's requests waiting. After every piece, other work has its turn.
 */
export function makePace(bytesPerSecond: number): Pace {
  const freeAt = new Map<string, number>()
  return async (owner, bytes) => {
    const now = performance.now()
    const from = Math.max(now - BURST_MS, freeAt.get(owner) ?? 0)
    const until = from + (bytes / bytesPerSecond) * 1_000
    freeAt.set(owner, until)
    await new Promise<void>((go) => {
      if (until <= now) setImmediate(go)
      else setTimeout(go, until - now)
    })
    if (freeAt.get(owner) === until) freeAt.delete(owner)
  }
}
