import { AsyncLocalStorage } from 'node:async_hooks'
import type { FileStorage } from './file-storage.ts'

/** The transaction that a handler works in. It ends, while timers and jobs that the handler started go on. */
type Open = { isOpen: boolean }
const current = new AsyncLocalStorage<Open>()

/** Runs a handler whose transaction is open: until it returns, a guarded store refuses it and whatever it calls. */
export async function withOpenTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true }
  try {
    return await current.run(transaction, work)
  } finally {
    transaction.isOpen = false
  }
}

/** Starts something that outlives the handler, for instance a timer, outside its transaction. */
export const leaveTransaction = <T>(start: () => T): T => current.exit(start)

/**
 * A store that no handler with an open transaction reaches: what is done to a file is not rolled back with its rows, and
 * a store may be another machine, which is not waited for while rows are locked. Such a handler passes the work to
 * `afterCommit`, or its call is declared `outside`.
 */
export function guardStorage(storage: FileStorage): FileStorage {
  const guarded = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    if (current.getStore()?.isOpen === true)
      throw new Error(`A handler with an open transaction may not call the store of files (${name}).`)
    return call()
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
    check: () => guarded('check', () => storage.check()),
  }
}
