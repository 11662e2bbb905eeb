import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Change } from './answer-queue.ts'
import type { SyncParts } from './answer-sync.ts'

type Row = Change & { scope: string }
interface Schema extends DBSchema {
  changes: { key: [string, string]; value: Row; indexes: { scope: string } }
}

let opened: Promise<IDBPDatabase<Schema>> | null = null

function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('forecourt-participants', 1, {
    upgrade(db) {
      db.createObjectStore('changes', { keyPath: ['scope', 'id'] }).createIndex('scope', 'scope')
    },
    // Another tab deletes or upgrades it, or the browser closed it: the next call opens it again.
    blocking: () => void opened?.then((db) => db.close()).finally(() => (opened = null)),
    terminated: () => {
      opened = null
    },
  }).catch((error: unknown) => {
    opened = null
    throw error
  })
  return opened
}

/**
 * The changes of one person at one target that this device keeps. Without a database, as in some private windows, nothing
 * is kept.
 */
export async function openDeviceStore(
  participantId: string,
  targetId: string,
): Promise<{ kept: readonly Change[]; store: SyncParts['store'] }> {
  const scope = scopeOf(participantId, targetId)
  try {
    const rows = await (await database()).getAllFromIndex('changes', 'scope', scope)
    const written = rows.map(({ scope: _scope, ...change }) => change)
    const inMemory = held.get(scope) ?? []
    const kept = inMemory.length > 0 ? inMemory : written
    return { kept, store: { write: (put, removed) => write(scope, put, removed) } }
  } catch {
    return { kept: held.get(scope) ?? [], store: null }
  }
}

const scopeOf = (participantId: string, targetId: string): string => `${participantId}/${targetId}`

/** Changes that the device can't keep, while the person looks at another page of the same tab. */
const held = new Map<string, readonly Change[]>()

/** Holds changes that the device can't keep for as long as the tab is open. */
export function holdChanges(participantId: string, targetId: string, changes: readonly Change[]): void {
  held.set(scopeOf(participantId, targetId), changes)
}

async function write(scope: string, put: readonly Change[], removed: readonly string[]): Promise<void> {
  const transaction = (await database()).transaction('changes', 'readwrite', { durability: 'strict' })
  await Promise.all([
    ...put.map((change) => transaction.store.put({ ...change, scope })),
    ...removed.map((id) => transaction.store.delete([scope, id])),
    transaction.done,
  ])
}

/** How many answers of a person wait on this device, by target. */
export async function countKept(participantId: string): Promise<ReadonlyMap<string, number>> {
  try {
    const range = IDBKeyRange.bound(`${participantId}/`, `${participantId}0`, false, true)
    const rows = await (await database()).getAllFromIndex('changes', 'scope', range)
    const counts = new Map<string, number>()
    for (const { scope } of rows) {
      const targetId = scope.slice(participantId.length + 1)
      counts.set(targetId, (counts.get(targetId) ?? 0) + 1)
    }
    return counts
  } catch {
    return new Map()
  }
}
