import { randomUUID } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { copyFile, link, lstat, mkdir, open, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { clock } from '#server/clock.ts'
import { codeOf } from '#server/error-code.ts'
import {
  assertInside,
  StorageRefusal,
  type FileStorage,
  type StoragePath,
  type Stored,
} from './file-storage.ts'
import { HEAD_BYTES, typeOfBytes } from './type-of-bytes.ts'

/** The number of files to read at the same time. */
const AT_ONCE = 32
const LEFT_BEHIND_MS = 6 * 3_600_000

/**
 * Stores files in a local folder: `kept` has them under their own names, `incoming` has those that are being received.
 * Symbolic links in it are ignored, whatever they point to.
 */
export async function openFolderStorage(folder: string): Promise<FileStorage> {
  const kept = join(folder, 'kept')
  const incoming = join(folder, 'incoming')
  for (const one of [kept, incoming]) await mkdir(one, { recursive: true, mode: 0o700 })
  await removeLeftBehind(incoming)

  /** The path on disk. Null if it does not exist or the path contains a symbolic link. */
  const locate = async (place: StoragePath): Promise<{ path: string; isFolder: boolean } | null> => {
    assertInside(place)
    let path = kept
    for (const [at, name] of place.entries()) {
      path = join(path, name)
      const found = await lstat(path).catch(missingAsNull)
      if (found === null || (!found.isDirectory() && (at < place.length - 1 || !found.isFile()))) return null
      if (found.isFile()) return { path, isFolder: false }
    }
    return { path, isFolder: true }
  }
  /** The path on disk for something new. Creates the parent folders. */
  const preparePath = async (place: StoragePath): Promise<string> => {
    assertInside(place)
    for (let depth = 1; depth < place.length; depth += 1) {
      const above = place.slice(0, depth)
      await mkdir(join(kept, ...above), { mode: 0o700 }).catch(ignoreExisting)
      if ((await locate(above))?.isFolder !== true) throw new StorageRefusal('missing')
    }
    return join(kept, ...place)
  }

  return {
    async list(place) {
      const found = await locate(place)
      if (found?.isFolder !== true) return null
      const entries = await readdir(found.path, { withFileTypes: true })
      const shown = entries.filter((entry) => entry.isDirectory() || entry.isFile())
      const children: (Stored | null)[] = []
      for (let at = 0; at < shown.length; at += AT_ONCE) {
        const some = shown.slice(at, at + AT_ONCE)
        children.push(...(await Promise.all(some.map(({ name }) => describe(join(found.path, name), name)))))
      }
      return children.filter((child) => child !== null)
    },
    async find(place) {
      const found = await locate(place)
      return found && describe(found.path, place.at(-1) ?? '')
    },
    async makeFolder(place) {
      const path = await preparePath(place)
      await mkdir(path, { mode: 0o700 }).catch(requireFreeName)
    },
    async move(from, to) {
      const source = await locate(from)
      if (source === null) throw new StorageRefusal('missing')
      const target = await preparePath(to)
      if (!source.isFolder) {
        await putInPlace(source.path, target)
        return
      }
      // An empty folder is what a folder may be renamed onto; making it shows whether the name is free.
      await mkdir(target, { mode: 0o700 }).catch(requireFreeName)
      await rename(source.path, target).catch(async (error: unknown) => {
        await rmdir(target).catch(() => {})
        throw error
      })
    },
    async remove(places) {
      for (const place of places) {
        const found = await locate(place)
        if (found !== null) await rm(found.path, { recursive: true, force: true })
      }
    },
    async read(place) {
      const found = await locate(place)
      if (found === null || found.isFolder) return null
      const file = await open(found.path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(missingAsNull)
      if (file === null) return null
      const head = Buffer.alloc(HEAD_BYTES)
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
      const body = file.createReadStream({ start: 0 })
      return { type: typeOfBytes(head.subarray(0, bytesRead)), body }
    },
    async stage(place, body, admit) {
      const path = join(incoming, randomUUID())
      const discard = () => rm(path, { force: true })
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
      try {
        await pipeline(body, (chunks: Readable) => admitting(chunks, admit), file)
      } catch (error) {
        // If the body fails at once, the file may not exist yet: wait, so that it is not created after its removal.
        if (!file.closed) await new Promise<void>((done) => file.once('close', done))
        await discard()
        throw error
      }
      return {
        discard,
        async publish({ replaces }) {
          const target = await preparePath(place)
          if (replaces) await rename(path, target)
          else await putInPlace(path, target)
          const stored = await describe(target, place.at(-1) ?? '')
          if (stored?.kind !== 'file') throw new StorageRefusal('missing')
          return stored
        },
      }
    },
    async usage(place) {
      const found = await locate(place)
      if (found?.isFolder !== true) return 0
      const entries = await readdir(found.path, { withFileTypes: true, recursive: true })
      const files = entries.filter((entry) => entry.isFile())
      let bytes = 0
      for (let at = 0; at < files.length; at += AT_ONCE) {
        const some = files.slice(at, at + AT_ONCE)
        const sizes = await Promise.all(
          some.map(({ parentPath, name }) =>
            lstat(join(parentPath, name)).then(
              ({ size }) => size,
              () => 0,
            ),
          ),
        )
        bytes += sizes.reduce((sum, size) => sum + size, 0)
      }
      return bytes
    },
    clearLeftBehind: () => removeLeftBehind(incoming),
    async check() {
      const path = join(incoming, randomUUID())
      try {
        await mkdir(path)
        await rmdir(path)
        const { bavail, bsize } = await statfs(incoming)
        return { in: 'folder', freeBytes: bavail * bsize }
      } catch (cause) {
        throw new Error(`Forecourt cannot start because ${folder} is not writable.`, { cause })
      }
    },
  }
}

/** Removes incoming files that have not grown for hours, which a killed process left. Others may still be arriving. */
async function removeLeftBehind(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const found = await lstat(join(incoming, name)).catch(missingAsNull)
    if (found !== null && clock.now() - found.mtimeMs > LEFT_BEHIND_MS)
      await rm(join(incoming, name), { recursive: true, force: true })
  }
}

async function describe(path: string, name: string): Promise<Stored | null> {
  const found = await lstat(path).catch(missingAsNull)
  if (found === null) return null
  if (found.isDirectory()) return { kind: 'folder', name }
  const type = typeOfBytes(await readHead(path))
  return { kind: 'file', name, size: found.size, type, updatedAt: found.mtime }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(missingAsNull)
  if (file === null) return new Uint8Array()
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Adds a hard link and then removes the first name: unlike a rename, this never replaces an existing file. */
async function putInPlace(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (codeOf(error) === 'EEXIST') throw new StorageRefusal('taken')
    // Some file systems have no hard links.
    await mkdir(dirname(to), { recursive: true })
    await copyFile(from, to, constants.COPYFILE_EXCL).catch(requireFreeName)
  })
  await syncFolder(dirname(to))
  await rm(from, { force: true })
}

/** Makes a new name survive a power failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function* admitting(
  chunks: AsyncIterable<Buffer>,
  admit: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    admit(bytes)
    yield chunk
  }
}

function missingAsNull(error: unknown): null {
  // ELOOP: it is a symbolic link. ENAMETOOLONG: no file can have such a name.
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))) return null
  throw error
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}

function requireFreeName(error: unknown): never {
  throw codeOf(error) === 'EEXIST' ? new StorageRefusal('taken') : error
}
