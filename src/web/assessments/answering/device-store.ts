import type { DBSchema, IDBPObjectStore } from 'idb'
import { deviceDatabase } from '#web/session/device-database.ts'
import type { Change } from './answer-queue.ts'
import type { FileParts, KeptFile } from './file-sync.ts'
import type { SyncParts } from './answer-sync.ts'

type Row = Change & { scope: string }
type FileRow = KeptFile & { scope: string }
interface Schema extends DBSchema {
  changes: { key: [string, string]; value: Row; indexes: { scope: string } }
  files: { key: [string, string]; value: FileRow; indexes: { scope: string } }
}

const database = deviceDatabase<Schema>('forecourt-participants', 2, (db, former) => {
  if (former < 1) db.createObjectStore('changes', { keyPath: ['scope', 'id'] }).createIndex('scope', 'scope')
  db.createObjectStore('files', { keyPath: ['scope', 'id'] }).createIndex('scope', 'scope')
})

/** What a person has typed and added at one target, and what keeps it on this device; null if nothing does. */
export type Device = Readonly<{
  kept: readonly Change[]
  store: SyncParts['store']
  files: readonly KeptFile[]
  fileStore: FileParts<unknown>['store']
}>

/** What this device keeps of one person at one target. Without a database, as in some private windows, nothing is kept. */
export async function openDeviceStore(participantId: string, targetId: string): Promise<Device> {
  const scope = scopeOf(participantId, targetId)
  const inMemory = held.get(scope) ?? { changes: [], files: [] }
  try {
    const db = await database()
    const changes = (await db.getAllFromIndex('changes', 'scope', scope)).map(withoutScope)
    const files = (await db.getAllFromIndex('files', 'scope', scope)).map(withoutScope)
    const ids = new Set(files.map(({ id }) => id))
    return {
      kept: inMemory.changes.length > 0 ? inMemory.changes : changes,
      store: { write: (put, removed) => write(scope, put, removed) },
      files: [...files, ...inMemory.files.filter(({ id }) => !ids.has(id))],
      fileStore: {
        put: (file) => changeFiles((store) => store.put({ ...file, scope })),
        remove: (id) => changeFiles((store) => store.delete([scope, id])),
      },
    }
  } catch {
    return { kept: inMemory.changes, store: null, files: inMemory.files, fileStore: null }
  }
}

const scopeOf = (participantId: string, targetId: string): string => `${participantId}/${targetId}`
function withoutScope<T extends { scope: string }>({ scope: _scope, ...rest }: T): Omit<T, 'scope'> {
  return rest
}

type UnsavedState = Readonly<{ changes: readonly Change[]; files: readonly KeptFile[] }>
/** What the device can't keep, while the person looks at another page of the same tab. */
const held = new Map<string, UnsavedState>()

/** Holds what the device can't keep for as long as the tab is open. */
export function holdChanges(participantId: string, targetId: string, rest: UnsavedState): void {
  held.set(scopeOf(participantId, targetId), rest)
}

type Files = IDBPObjectStore<Schema, ['files'], 'files', 'readwrite'>
async function changeFiles(change: (files: Files) => Promise<unknown>): Promise<void> {
  const transaction = (await database()).transaction('files', 'readwrite', { durability: 'strict' })
  await Promise.all([change(transaction.store), transaction.done])
}

async function write(scope: string, put: readonly Change[], removed: readonly string[]): Promise<void> {
  const transaction = (await database()).transaction('changes', 'readwrite', { durability: 'strict' })
  await Promise.all([
    ...put.map((change) => transaction.store.put({ ...change, scope })),
    ...removed.map((id) => transaction.store.delete([scope, id])),
    transaction.done,
  ])
}

/** How many answers and files of a person wait on this device, by target. */
export async function countKept(participantId: string): Promise<ReadonlyMap<string, number>> {
  try {
    const range = IDBKeyRange.bound(`${participantId}/`, `${participantId}0`, false, true)
    const db = await database()
    const changes = await db.getAllFromIndex('changes', 'scope', range)
    // Only the keys: files are large.
    const files = await db.getAllKeysFromIndex('files', 'scope', range)
    const counts = new Map<string, number>()
    for (const scope of [...changes.map((change) => change.scope), ...files.map(([of]) => of)]) {
      const targetId = scope.slice(participantId.length + 1)
      counts.set(targetId, (counts.get(targetId) ?? 0) + 1)
    }
    return counts
  } catch {
    return new Map()
  }
}
