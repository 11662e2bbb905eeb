import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { BlobServiceClient, isRestError, type BlockBlobClient } from '@azure/storage-blob'
import {
  assertInside,
  StorageRefusal,
  type FileStorage,
  type StoragePath,
  type Stored,
  type StoredFile,
} from './file-storage.ts'
import { HEAD_BYTES, typeOfBytes } from './type-of-bytes.ts'

/** Azure has no folders, only names with slashes. An empty blob with this name represents an empty folder. */
const MARKER = '.folder'
/** A file is uploaded in blocks of this size, one at a time. */
const BLOCK_BYTES = 8 * 1024 * 1024
const TRY_MS = 60_000
const UNKNOWN = 'application/octet-stream'

type Options = {
  /** The connection string of the storage account. */
  connection: string
  /** The container, which is created if it does not exist. At least three lowercase letters. */
  container: string
}

/** Stores files in a container of Azure Blob Storage. A file exists once its block list is committed. */
export function openAzureStorage({ connection, container: containerName }: Options): FileStorage {
  const service = BlobServiceClient.fromConnectionString(connection, {
    retryOptions: { maxTries: 3, tryTimeoutInMs: TRY_MS },
  })
  const container = service.getContainerClient(containerName)
  const blobAt = (name: string): BlockBlobClient => container.getBlockBlobClient(name)
  const nameOf = (place: StoragePath): string => {
    assertInside(place)
    return place.join('/')
  }
  const below = async (name: string): Promise<{ name: string; size: number }[]> => {
    const blobs: { name: string; size: number }[] = []
    for await (const blob of container.listBlobsFlat({ prefix: `${name}/` })) {
      blobs.push({ name: blob.name, size: blob.properties.contentLength ?? 0 })
    }
    return blobs
  }
  const isFolder = async (name: string): Promise<boolean> => {
    const page = await container
      .listBlobsFlat({ prefix: `${name}/` })
      .byPage({ maxPageSize: 1 })
      .next()
    return page.done !== true && page.value.segment.blobItems.length > 0
  }
  const describe = async (place: StoragePath): Promise<StoredFile | null> => {
    const found = await blobAt(nameOf(place)).getProperties().catch(missingAsNull)
    return found && storedFile(place.at(-1) ?? '', found)
  }
  const find = async (place: StoragePath): Promise<Stored | null> => {
    const file = await describe(place)
    if (file !== null) return file
    return (await isFolder(nameOf(place))) ? { kind: 'folder', name: place.at(-1) ?? '' } : null
  }
  /** Server-side copy. Never replaces a blob. */
  const copy = async (from: string, to: string): Promise<void> => {
    const poller = await blobAt(to)
      .beginCopyFromURL(blobAt(from).url, { intervalInMs: 200, conditions: { ifNoneMatch: '*' } })
      .catch(requireFreeName)
    await poller.pollUntilDone()
  }

  return {
    find,
    async list(folder) {
      const prefix = `${nameOf(folder)}/`
      const children: Stored[] = []
      let isThere = false
      for await (const item of container.listBlobsByHierarchy('/', { prefix })) {
        isThere = true
        const name = item.name.slice(prefix.length).replace(/\/$/, '')
        if (item.kind === 'prefix') children.push({ kind: 'folder', name })
        else if (name !== MARKER) children.push(storedFile(name, item.properties))
      }
      return isThere ? children : null
    },
    async makeFolder(place) {
      if ((await find(place)) !== null) throw new StorageRefusal('taken')
      const marker = blobAt(`${nameOf(place)}/${MARKER}`)
      await marker.upload('', 0, { conditions: { ifNoneMatch: '*' } }).catch(requireFreeName)
    },
    async move(from, to) {
      const [source, target] = [nameOf(from), nameOf(to)]
      if ((await find(to)) !== null) throw new StorageRefusal('taken')
      const found = await find(from)
      if (found === null) throw new StorageRefusal('missing')
      const inside = found.kind === 'file' ? [] : await below(source)
      const moves =
        found.kind === 'file'
          ? [{ old: source, next: target }]
          : inside.map(({ name }) => ({ old: name, next: `${target}${name.slice(source.length)}` }))
      const copied: string[] = []
      try {
        for (const { old, next } of moves) {
          await copy(old, next)
          copied.push(next)
        }
      } catch (error) {
        // Undo a partial move, so that the source stays complete.
        for (const name of copied) await blobAt(name).deleteIfExists()
        throw error
      }
      for (const { old } of moves) await blobAt(old).deleteIfExists()
    },
    async remove(places) {
      for (const place of places) {
        const name = nameOf(place)
        for (const blob of await below(name)) await blobAt(blob.name).deleteIfExists()
        await blobAt(name).deleteIfExists()
      }
    },
    async read(place) {
      const found = await blobAt(nameOf(place)).download().catch(missingAsNull)
      const body = found?.readableStreamBody
      if (body === undefined) return null
      return {
        type: found?.contentType ?? UNKNOWN,
        body: body instanceof Readable ? body : Readable.from(body),
      }
    },
    async stage(place, body, admit) {
      const blob = blobAt(nameOf(place))
      const ids: string[] = []
      let head = Buffer.alloc(0)
      for await (const block of inBlocks(body, admit)) {
        if (head.length === 0) head = Buffer.from(block.subarray(0, HEAD_BYTES))
        const id = Buffer.from(randomUUID()).toString('base64')
        await blob.stageBlock(id, block, block.length)
        ids.push(id)
      }
      const type = typeOfBytes(head)
      return {
        // Azure deletes uncommitted blocks within a week.
        discard: async () => {},
        async publish({ replaces }) {
          const conditions = replaces ? {} : { ifNoneMatch: '*' }
          const headers = { blobContentType: type }
          await blob.commitBlockList(ids, { blobHTTPHeaders: headers, conditions }).catch(requireFreeName)
          const stored = await describe(place)
          if (stored === null) throw new StorageRefusal('missing')
          return stored
        },
      }
    },
    async usage(place) {
      return (await below(nameOf(place))).reduce((sum, { size }) => sum + size, 0)
    },
    // Azure deletes uncommitted blocks after a week.
    clearLeftBehind: async () => {},
    async check() {
      try {
        await container.createIfNotExists()
        return { in: 'azure', freeBytes: null }
      } catch (cause) {
        throw new Error(
          'Forecourt cannot start because the storage in FORECOURT_AZURE_STORAGE is not writable.',
          { cause },
        )
      }
    },
  }
}

function storedFile(
  name: string,
  found: { contentLength?: number; contentType?: string; lastModified?: Date },
): StoredFile {
  return {
    kind: 'file',
    name,
    size: found.contentLength ?? 0,
    type: found.contentType ?? UNKNOWN,
    updatedAt: found.lastModified ?? new Date(0),
  }
}

async function* inBlocks(
  body: AsyncIterable<Buffer>,
  admit: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0
  let waiting: Buffer[] = []
  let waitingBytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    admit(bytes)
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes < BLOCK_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting)
}

function missingAsNull(error: unknown): null {
  if (isRestError(error) && error.statusCode === 404) return null
  throw error
}

/** 409 and 412: the blob exists. 400: another block list was committed, which discarded our blocks. */
function requireFreeName(error: unknown): never {
  const isTaken =
    isRestError(error) &&
    (error.statusCode === 409 || error.statusCode === 412 || error.code === 'InvalidBlockList')
  throw isTaken ? new StorageRefusal('taken') : error
}
