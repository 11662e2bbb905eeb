import type { Readable } from 'node:stream'

/** The path of a file or folder, as names. The first identifies the customer's space. The caller has validated the names. */
export type StoragePath = readonly string[]

export type StoredFolder = { kind: 'folder'; name: string }
export type StoredFile = {
  kind: 'file'
  name: string
  /** In bytes. */
  size: number
  /** The media type, from the first bytes. */
  type: string
  updatedAt: Date
}
export type Stored = StoredFolder | StoredFile

/** A completely received file that is not visible yet. Call either `publish` or `discard`. */
export type StagedFile = {
  /** Makes the file visible at its path. @throws StorageRefusal `taken` if a file exists, unless `replaces` is set */
  publish: (how: { replaces: boolean }) => Promise<StoredFile>
  discard: () => Promise<void>
}

/** A store for files, with two implementations: a local folder and Azure Blob Storage. */
export type FileStorage = {
  /** The contents of a folder, in no particular order. Null if there is no such folder. */
  list: (folder: StoragePath) => Promise<Stored[] | null>
  find: (place: StoragePath) => Promise<Stored | null>
  /** @throws StorageRefusal `taken` */
  makeFolder: (place: StoragePath) => Promise<void>
  /** Moves a file, or a folder with its contents. @throws StorageRefusal `missing`, `taken` */
  move: (from: StoragePath, to: StoragePath) => Promise<void>
  /** Deletes files and folders. Missing ones are ignored. */
  remove: (places: readonly StoragePath[]) => Promise<void>
  /** Null if there is no such file. */
  read: (place: StoragePath) => Promise<{ type: string; body: Readable } | null>
  /**
   * Receives a file as a stream, with little memory. If the stream fails, nothing is left behind.
   * @param admit is called with the number of bytes so far, and throws if that is too many.
   */
  stage: (place: StoragePath, body: Readable, admit: (bytes: number) => void) => Promise<StagedFile>
  /** The total size of the files below a path, in bytes. */
  usage: (place: StoragePath) => Promise<number>
  /** Removes incomplete files that killed processes left hours ago. Safe to run at any time. */
  clearLeftBehind: () => Promise<void>
  /** @throws Error if the storage is not writable */
  check: () => Promise<Room>
}

/** The type of storage and its free space. Null if that is unlimited. `fullAt`: when it was full last, since the server started. */
export type Room = { in: 'folder' | 'azure'; freeBytes: number | null; fullAt?: string | null }

export class StorageRefusal extends Error {
  readonly why: 'missing' | 'taken'

  constructor(why: 'missing' | 'taken') {
    super(
      why === 'missing'
        ? 'There is no such file or folder.'
        : 'A file or folder with this name already exists.',
    )
    this.why = why
  }
}

/**
 * The last check before the storage. Callers have validated the names already, so a path outside the space is a bug.
 * @throws Error
 */
export function assertInside(place: StoragePath): void {
  const isSound = place.length > 0 && place.every((name) => !/^\.|[/\\\0]/.test(name) && name !== '')
  if (!isSound) throw new Error('A path is outside its storage space.')
}
