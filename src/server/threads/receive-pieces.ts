import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { tooMany } from '#server/http/failure.ts'
import { makePace } from './pace.ts'

/** In bytes: the most that is received and read at the same time, of all customers and of one. */
const MAX_BYTES = { total: 200_000_000, each: 120_000_000 }

/** How fast the messages of one customer are received together: an email of 30 MB in three seconds. */
const BYTES_PER_SECOND = 10_000_000

/** What one sender holds in memory. */
export type MemoryLease = { add: (bytes: number) => Promise<void>; release: () => void }
/** Limits the bytes in memory at the same time. */
export type Room = { take: (customerId: string) => MemoryLease }

/**
 * `add` throws Failure 429 if there is no room, and waits as long as the customer's speed demands. What one customer receives
 * leaves room and time for the others.
 */
export function makeRoom(most = MAX_BYTES): Room {
  const used = new Map<string, number>()
  const pace = makePace(BYTES_PER_SECOND)
  let total = 0
  return {
    take(customerId) {
      let own = 0
      const change = (bytes: number): void => {
        own += bytes
        total += bytes
        const left = (used.get(customerId) ?? 0) + bytes
        if (left === 0) used.delete(customerId)
        else used.set(customerId, left)
      }
      return {
        async add(bytes) {
          if (total + bytes > most.total || (used.get(customerId) ?? 0) + bytes > most.each)
            throw tooMany('Too many large messages are arriving right now. Try again in a minute.', 60)
          change(bytes)
          await pace(customerId, bytes)
        },
        release() {
          change(-own)
        },
      }
    },
  }
}

/** Keeps the stream open: destroying a request would close the connection before its sender gets the response. */
async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of stream.iterator({ destroyOnReturn: false }))
    if (piece instanceof Uint8Array) yield piece
}

/** `hash`: SHA-256 of the pieces. `isWhole`: there is no more than the pieces. */
export type Pieces = { pieces: Uint8Array<ArrayBuffer>[]; hash: string; isWhole: boolean }

/**
 * Receives up to `mostBytes` for a thread, which joins the pieces: 50 MB at once would delay other requests.
 * @throws Failure 429 if there is no room
 */
export async function receivePieces(
  stream: Readable,
  { mostBytes, taken }: { mostBytes: number; taken: MemoryLease },
): Promise<Pieces> {
  const hash = createHash('sha256')
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let isWhole = true
  for await (const piece of piecesOf(stream)) {
    await taken.add(piece.length)
    hash.update(piece)
    // A copy in memory of its own, which can be handed to the thread.
    pieces.push(new Uint8Array(piece))
    size += piece.length
    isWhole = size <= mostBytes
    if (!isWhole) break
  }
  return { pieces, hash: hash.digest('hex'), isWhole }
}
