import { type DBSchema, type IDBPDatabase, openDB, type OpenDBCallbacks } from 'idb'

/**
 * A database of this browser, opened at its first use and again after another tab deleted or upgraded it, or the browser closed it.
 * Opening fails without one, as in some private windows; the next call tries again.
 */
export function deviceDatabase<Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: NonNullable<OpenDBCallbacks<Schema>['upgrade']>,
): () => Promise<IDBPDatabase<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null
  const forget = () => {
    opened = null
  }
  return () => {
    opened ??= openDB<Schema>(name, version, {
      upgrade,
      blocking: () => void opened?.then((db) => db.close()).finally(forget),
      terminated: forget,
    }).catch((error: unknown) => {
      forget()
      throw error
    })
    return opened
  }
}
