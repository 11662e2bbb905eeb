import type pg from 'pg'
import { makeFairShare, type FairShare } from '#server/threads/fair-share.ts'

/** How long a transaction waits for a connection, in milliseconds: as long as the pool itself would. */
const LONGEST_WAIT_MS = 5_000

type PoolShare = { inPlace: FairShare; waiting: number }
const shares = new WeakMap<pg.Pool, PoolShare>()

function shareOf(pool: pg.Pool): PoolShare {
  const known = shares.get(pool)
  if (known !== undefined) return known
  const { max } = pool.options
  const inPlace = makeFairShare({
    places: max,
    placesEach: Math.max(1, Math.floor((max * 3) / 4)),
    mostWaiting: Infinity,
    longestWaitMs: LONGEST_WAIT_MS,
    // What the pool says, so that it counts as the same fault (faults.ts).
    full: () => new Error('timeout exceeded when trying to connect'),
  })
  const made = { inPlace, waiting: 0 }
  shares.set(pool, made)
  return made
}

/** How many transactions wait for a connection of a pool. */
export const waitingFor = (pool: pg.Pool): number => (shares.get(pool)?.waiting ?? 0) + pool.waitingCount

export type TakenConnection = { client: pg.PoolClient; release: (isBroken: { isBroken: boolean }) => void }

/**
 * Takes a connection for a customer in its turn. A customer has three quarters of a pool at most, so that its slow statements,
 * and those that wait for its locks, leave connections for the others.
 * @throws Error if none becomes free in time, or what the pool throws
 */
export function takeConnection(pool: pg.Pool, customerId: string): Promise<TakenConnection> {
  const share = shareOf(pool)
  share.waiting += 1
  let stopWaiting = (): void => {
    share.waiting -= 1
    stopWaiting = () => {}
  }
  return new Promise((resolve, reject) => {
    const work = async (): Promise<void> => {
      stopWaiting()
      const client = await pool.connect()
      await new Promise<void>((done) => {
        const release: TakenConnection['release'] = ({ isBroken }) => {
          client.release(isBroken)
          done()
        }
        resolve({ client, release })
      })
    }
    share
      .inPlace(customerId, work)
      .catch(reject)
      .finally(() => stopWaiting())
  })
}
