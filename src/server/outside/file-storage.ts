import type { Readable } from 'node:stream'

/** The names on the way to a file or folder. The first says whose space it is. Every name was checked before. */
export type Place = readonly string[]

export type StoredFolder = { kind: 'folder'; name: string }
export type StoredFile = {
  kind: 'file'
  name: string
  /** In bytes. */
  size: number
  /** A media type, by the first bytes. */
  type: string
  updatedAt: Date
}
export type Stored = StoredFolder | StoredFile

/** A file that has arrived whole and is still seen by nobody. Ends with one of the two. */
export type StagedFile = {
  /** Puts it where it belongs. @throws StorageRefusal `taken`, unless it `replaces` the file that is there. */
  publish: (how: { replaces: boolean }) => Promise<StoredFile>
  discard: () => Promise<void>
}

/** Where files are kept. Two of them do the same: a folder of this machine, and Azure Blob Storage. */
export type FileStorage = {
  /** What is in a folder, in no order. Null: there is no such folder. */
  list: (folder: Place) => Promise<Stored[] | null>
  find: (place: Place) => Promise<Stored | null>
  /** @throws StorageRefusal `taken` */
  makeFolder: (place: Place) => Promise<void>
  /** A file, or a folder with all that is in it. @throws StorageRefusal `missing`, `taken` */
  move: (from: Place, to: Place) => Promise<void>
  /** What is not there is left out. */
  remove: (places: readonly Place[]) => Promise<void>
  /** Null: there is no such file. */
  read: (place: Place) => Promise<{ type: string; body: Readable } | null>
  /**
   * Takes a file in as it comes, in little memory. When the stream breaks, nothing stays behind.
   * @param admit is told how many bytes have come, and throws where that is too much.
   */
  stage: (place: Place, body: Readable, admit: (bytes: number) => void) => Promise<StagedFile>
  /** How many bytes the files below a place have. */
  usage: (place: Place) => Promise<number>
  /** Removes what killed processes left on its way hours ago. Safe to run at any time. */
  clearLeftBehind: () => Promise<void>
  /** @throws Error with a sentence when files cannot be kept. */
  check: () => Promise<Room>
}

/** Where files go and how many bytes more there is room for; null where that has no end. */
export type Room = { in: 'folder' | 'azure'; freeBytes: number | null }

export class StorageRefusal extends Error {
  readonly why: 'missing' | 'taken'

  constructor(why: 'missing' | 'taken') {
    super(why === 'missing' ? 'There is no such file or folder.' : 'There is something of that name.')
    this.why = why
  }
}

/**
 * The last gate before a store: whoever asks has checked the names already, so a name that leads elsewhere is a bug.
 * @throws Error
 */
export function assertInside(place: Place): void {
  const isSound = place.length > 0 && place.every((name) => !/^\.|[/\\\0]/.test(name) && name !== '')
  if (!isSound) throw new Error('A path leads out of its space.')
}
