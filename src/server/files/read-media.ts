import { readPath } from '#contract/files/names.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { mediaPlace } from './storage-paths.ts'

type MediaFile = { name: string; type: string; bytes: Buffer }

/** Reads a small media file into memory. Null if it doesn't exist or is larger than `most` bytes. */
type ReadMedia = (customerId: string, path: string, most: number) => Promise<MediaFile | null>

export function mediaReader(storage: FileStorage): ReadMedia {
  return async (customerId, path, most) => {
    const read = readPath(path)
    if (!('names' in read) || read.names.length === 0) return null
    const file = await storage.read(mediaPlace(customerId, read.names))
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
    return { name: read.names.at(-1) ?? '', type: file.type, bytes: Buffer.concat(parts) }
  }
}
