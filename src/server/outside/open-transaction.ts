import { AsyncLocalStorage } from 'node:async_hooks'
import { clock } from '#server/clock.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import { isDiskFull } from '#server/error-code.ts'
import type { FileStorage } from './file-storage.ts'

/** A handler's transaction. Timers and jobs that the handler started continue after it ends. */
type Open = { isOpen: boolean }
const current = new AsyncLocalStorage<Open>()

/** Runs a handler with an open transaction. Until it returns, guarded storage rejects calls from it. */
export async function withOpenTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true }
  try {
    return await current.run(transaction, work)
  } finally {
    transaction.isOpen = false
  }
}

/** Starts work that outlives the handler, such as a timer, outside its transaction. */
export const leaveTransaction = <T>(start: () => T): T => current.exit(start)

/** Storage for handlers, which only those without an open transaction can reach. */
export type OutsideStorage = (outside: Outside) => FileStorage

/**
 * Storage that rejects calls from a handler with an open transaction: changes to files are not rolled back with the rows,
 * and remote storage must not be waited for while rows are locked. `OutsideStorage` already keeps such a handler from compiling; this
 * also finds calls that reach background work. Such a handler passes the work to `afterCommit`, or its endpoint is declared
 * `outside`. It also remembers when the storage was full, which `check` returns.
 */
export function guardStorage(storage: FileStorage): FileStorage {
  let fullAt: string | null = null
  const guarded = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    if (current.getStore()?.isOpen === true)
      throw new Error(`A handler with an open transaction may not call the file storage (${name}).`)
    try {
      return await call()
    } catch (error) {
      if (isDiskFull(error)) fullAt = clock.date().toISOString()
      throw error
    }
  }
  return {
    list: (folder) => guarded('list', () => storage.list(folder)),
    find: (place) => guarded('find', () => storage.find(place)),
    makeFolder: (place) => guarded('makeFolder', () => storage.makeFolder(place)),
    move: (from, to) => guarded('move', () => storage.move(from, to)),
    remove: (places) => guarded('remove', () => storage.remove(places)),
    read: (place) => guarded('read', () => storage.read(place)),
    stage: (place, body, admit) => guarded('stage', () => storage.stage(place, body, admit)),
    usage: (place) => guarded('usage', () => storage.usage(place)),
    clearLeftBehind: () => guarded('clearLeftBehind', () => storage.clearLeftBehind()),
    check: async () => ({ ...(await guarded('check', () => storage.check())), fullAt }),
  }
}
