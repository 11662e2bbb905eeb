import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { clock } from '#server/clock.ts'
import { MOST_PICTURE_BYTES, readBytes, type PublicPictures } from '#server/files/index.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'

/** Beside the customers' spaces: copies count toward no limit of their files, and are in no backup. */
export const COPIES_FOLDER = 'photo-copies'
const ORIGINAL = 'original'
/** A copy without a row is one that was being made when a server was killed; a younger one may still be made. */
const LEFT_BEHIND_MS = 86_400_000

export const sha256 = (of: string | Buffer): string => createHash('sha256').update(of).digest('hex')

/** Where the photo with this content is, with the pictures made of it: once for all addresses and vehicles of a customer. */
export const folderOfCopy = (customerId: string, content: string): StoragePath => [
  COPIES_FOLDER,
  customerId,
  content.slice(0, 2),
  content,
]

export type PhotoStore = {
  has: (customerId: string, content: string) => Promise<boolean>
  /** Null if it is gone. */
  read: (customerId: string, content: string) => Promise<{ type: string; bytes: Buffer } | null>
  /** Stores a photo and its pictures. @returns their size; null if no pictures can be made of it */
  put: (customerId: string, content: string, photo: Buffer) => Promise<number | null>
  remove: (customerId: string, contents: readonly string[]) => Promise<void>
  removeAll: (customerId: string) => Promise<void>
  /** The contents that are stored, completely or not. */
  list: (customerId: string) => Promise<ReadonlySet<string>>
  /** Whether nothing of it was stored within the last day. */
  isOld: (customerId: string, content: string) => Promise<boolean>
  /** The customers of whom something is stored. */
  owners: () => Promise<string[]>
}

/** The stored copies of photos. */
export function photoStore(
  storage: FileStorage,
  { makeAhead }: Pick<PublicPictures, 'makeAhead'>,
): PhotoStore {
  const originalOf = (customerId: string, content: string): StoragePath => [
    ...folderOfCopy(customerId, content),
    ORIGINAL,
  ]
  const find = (customerId: string, content: string) => storage.find(originalOf(customerId, content))
  const foldersIn = async (place: StoragePath): Promise<string[]> =>
    ((await storage.list(place)) ?? []).flatMap(({ kind, name }) => (kind === 'folder' ? [name] : []))
  return {
    has: async (customerId, content) => (await find(customerId, content)) !== null,
    read: (customerId, content) => readBytes(storage, originalOf(customerId, content), MOST_PICTURE_BYTES),
    async put(customerId, content, photo) {
      const made = await makeAhead(photo, folderOfCopy(customerId, content))
      if (made === null) {
        await storage.remove([folderOfCopy(customerId, content)])
        return null
      }
      // Last, so that a photo that is there has its pictures.
      const place = originalOf(customerId, content)
      const staged = await storage.stage(place, Readable.from([photo]), () => {})
      await staged.publish({ replaces: true })
      return made + photo.length
    },
    remove: (customerId, contents) =>
      storage.remove(contents.map((content) => folderOfCopy(customerId, content))),
    removeAll: (customerId) => storage.remove([[COPIES_FOLDER, customerId]]),
    async list(customerId) {
      const found: string[] = []
      for (const part of await foldersIn([COPIES_FOLDER, customerId]))
        found.push(...(await foldersIn([COPIES_FOLDER, customerId, part])))
      return new Set(found)
    },
    async isOld(customerId, content) {
      const files = (await storage.list(folderOfCopy(customerId, content))) ?? []
      return files.every(
        (one) => one.kind !== 'file' || clock.now() - one.updatedAt.getTime() > LEFT_BEHIND_MS,
      )
    },
    owners: () => foldersIn([COPIES_FOLDER]),
  }
}
