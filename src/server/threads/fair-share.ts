import { tooMany } from '#server/http/failure.ts'

type Limits = Readonly<{
  /** What runs at once, of all owners. */
  places?: number
  /** What runs at once of one owner, and of one of `also`. */
  placesEach: number
  /** What waits of one owner while its places are taken. */
  mostWaiting: number
  /** How long work waits for a place, in milliseconds. */
  longestWaitMs?: number
  /** The error if more should wait, or something waited too long. */
  full: () => Error
}>

/**
 * Runs work of an owner, such as a customer, in its turn. `also`: another name that has as many places, such as a host.
 * @throws `full` if too much of the owner is waiting, or for too long
 */
export type FairShare = <T>(owner: string, work: () => Promise<T>, also?: string) => Promise<T>

type Waiting = { owner: string; names: readonly string[]; start: () => void }

/**
 * Shares something that is scarce, such as threads and connections, between owners. Each has some places at most, and a place
 * that becomes free goes to the waiting owner who was served longest ago: an owner with much work delays the others by what
 * runs now, and not by what waits.
 */
export function makeFairShare({
  places = Infinity,
  placesEach,
  mostWaiting,
  longestWaitMs,
  full,
}: Limits): FairShare {
  const running = new Map<string, number>()
  const served = new Map<string, number>()
  let waiting: Waiting[] = []
  let [busy, turn] = [0, 0]
  const isFree = ({ names }: Waiting): boolean => names.every((name) => (running.get(name) ?? 0) < placesEach)
  const change = (names: readonly string[], by: number): void => {
    busy += by
    for (const name of names) {
      const count = (running.get(name) ?? 0) + by
      if (count === 0) running.delete(name)
      else running.set(name, count)
    }
  }

  function startNext(): void {
    if (busy >= places) return
    const [next] = waiting
      .filter(isFree)
      .toSorted((a, b) => (served.get(a.owner) ?? 0) - (served.get(b.owner) ?? 0))
    if (next === undefined) return
    waiting = waiting.filter((one) => one !== next)
    served.set(next.owner, (turn += 1))
    change(next.names, 1)
    next.start()
    // What ended may have taken places of several owners.
    startNext()
  }

  return async (owner, work, also) => {
    const own = `owner ${owner}`
    const ahead = waiting.filter((one) => one.owner === owner).length
    if ((running.get(own) ?? 0) + ahead >= placesEach + mostWaiting) throw full()
    const names = also === undefined ? [own] : [own, `also ${also}`]
    await new Promise<void>((start, fail) => {
      const giveUp = (): void => {
        waiting = waiting.filter((other) => other !== one)
        fail(full())
      }
      const timer = longestWaitMs === undefined ? undefined : setTimeout(giveUp, longestWaitMs)
      const one: Waiting = {
        owner,
        names,
        start() {
          clearTimeout(timer)
          start()
        },
      }
      waiting.push(one)
      startNext()
    })
    try {
      return await work()
    } finally {
      change(names, -1)
      if (!running.has(own) && !waiting.some((one) => one.owner === owner)) served.delete(owner)
      startNext()
    }
  }
}

/** The most threads in the whole server. */
const MOST_RUNNING = 2
/** The most queued files per customer, each in memory. */
const MOST_WAITING = 3

/** Shares the threads that read files: each customer has at most one. */
export const makeThreadShare = ({
  mostRunning = MOST_RUNNING,
  mostWaiting = MOST_WAITING,
  busy = "Several of your company's files are already being read. Wait a moment and try again.",
} = {}): FairShare =>
  makeFairShare({ places: mostRunning, placesEach: 1, mostWaiting, full: () => tooMany(busy, 10) })
