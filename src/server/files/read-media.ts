import { readPath } from '#contract/files/names.ts'
import type { FileStorage, StoragePath, StoredFile } from '#server/outside/file-storage.ts'
import { mediaPlace } from './storage-paths.ts'

type MediaFile = { name: string; type: string; bytes: Buffer }

export type MediaReader = {
  /** Reads a small media file into memory. Null if it doesn't exist or is larger than `most` bytes. */
  read: (customerId: string, path: string, most: number) => Promise<MediaFile | null>
  /** Identifies the content of a media file; null if it doesn't exist. */
  identify: (customerId: string, path: string) => Promise<string | null>
}

export function mediaReader(storage: FileStorage): MediaReader {
  const placeOf = (customerId: string, path: string): StoragePath | null => {
    const read = readPath(path)
    return 'names' in read && read.names.length > 0 ? mediaPlace(customerId, read.names) : null
  }
  return {
    async read(customerId, path, most) {
      const place = placeOf(customerId, path)
      const file = place && (await readBytes(storage, place, most))
      return file && { name: place?.at(-1) ?? '', ...file }
    },
    async identify(customerId, path) {
      const place = placeOf(customerId, path)
      const found = place && (await storage.find(place))
      return found?.kind === 'file' ? `${place?.join('/') ?? ''} ${versionOf(found)}` : null
    },
  }
}

/** What changes with the content of a file. */
export const versionOf = ({ size, updatedAt }: StoredFile): string => `${size} ${updatedAt.toISOString()}`

/** A file in memory; null if it doesn't exist or is larger than `most` bytes. */
export async function readBytes(
  storage: FileStorage,
  place: StoragePath,
  most: number,
): Promise<{ type: string; bytes: Buffer } | null> {
  const file = await storage.read(place)
  if (file === null) return null
  const parts: Buffer[] = []
  let size = 0
  for await (const part of file.body) {
    const bytes = Buffer.from(part)
    size += bytes.length
    // Returning closes the file.
    if (size > most) return null
    parts.push(bytes)
  }
  return { type: file.type, bytes: Buffer.concat(parts) }
}
