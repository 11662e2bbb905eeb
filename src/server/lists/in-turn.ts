import type { Member } from '#server/http/actor.ts'
import { tooMany } from '#server/http/failure.ts'

/** Half of the connections that requests share. */
const MOST_AT_ONCE = 6
const MOST_WAITING = 50

type Waiting = { busy: number; waiting: (() => void)[] }
const lines = new Map<string, Waiting>()

/**
 * Lets one person's slow statements keep at most half of the connections busy, and the rest wait without one.
 * @throws Failure 429 when too many wait already.
 */
export async function limitConcurrency<T>(
  { effectiveCustomerId, effectiveUserId }: Pick<Member, 'effectiveCustomerId' | 'effectiveUserId'>,
  work: () => Promise<T>,
): Promise<T> {
  const person = `${effectiveCustomerId} ${effectiveUserId}`
  const line = lines.get(person) ?? { busy: 0, waiting: [] }
  lines.set(person, line)
  if (line.busy < MOST_AT_ONCE) line.busy += 1
  else {
    if (line.waiting.length >= MOST_WAITING) throw tooMany('Too many of your lists are being read.', 5)
    // Whoever is done hands its place on.
    await new Promise<void>((go) => line.waiting.push(go))
  }
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next !== undefined) next()
    else {
      line.busy -= 1
      if (line.busy === 0) lines.delete(person)
    }
  }
}
