import { Readable } from 'node:stream'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import { HEAD_BYTES, typeOfBytes } from '#server/outside/type-of-bytes.ts'
import { type FindMediaUses, namedUses } from './media-uses.ts'
import { MOST_PICTURE_BYTES, problemOfPicture } from './public-pictures.ts'
import { type Names, pathInMedia, type Root } from './storage-paths.ts'

/** Passes the bytes of a file through and keeps them: null if there are more than a picture may have. */
export function keepBytes(stream: Readable) {
  const parts: Buffer[] = []
  let size = 0
  async function* through() {
    for await (const part of stream) {
      const bytes = Buffer.from(part)
      size += bytes.length
      if (size <= MOST_PICTURE_BYTES) parts.push(bytes)
      else parts.length = 0
      yield bytes
    }
  }
  return {
    body: Readable.from(through(), { objectMode: false }),
    bytes: () => (size > MOST_PICTURE_BYTES ? null : Buffer.concat(parts)),
  }
}

type Replaced = Readonly<{
  root: Root
  path: Names
  /** Of the file that replaces it; null if they are too many for a picture. */
  bytes: Buffer | null
}>

/**
 * What pages, layouts and vehicles show is replaced only by a picture that they can show: visitors have it at once. It is decoded,
 * as pictures are when a page is published.
 * @throws Failure 409 that says what shows the file, and what is wrong with the new one
 */
export const makeRequireShowable =
  (findUses: FindMediaUses) =>
  async (
    { customerId }: Pick<Member, 'customerId'>,
    inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
    { root, path, bytes }: Replaced,
  ): Promise<void> => {
    const place = pathInMedia(root, path)
    if (place === null) return
    const uses = await inTenant((db) => findUses(db, [place]))
    if (uses.total === 0) return
    const problem = await problemOf(customerId, bytes)
    if (problem === null) return
    throw conflict(
      `${namedUses(uses)}, so only a picture can replace ${path.at(-1) ?? 'it'}. ${problem} What was there stays.`,
    )
  }

async function problemOf(customerId: string, bytes: Buffer | null): Promise<string | null> {
  if (bytes === null) return `The new file is larger than ${MOST_PICTURE_BYTES / 1e6} MB.`
  if (!typeOfBytes(bytes.subarray(0, HEAD_BYTES)).startsWith('image/')) return 'The new file isn’t a picture.'
  return problemOfPicture(customerId, bytes)
}
