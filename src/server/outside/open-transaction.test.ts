import { expect, test } from 'vitest'
import type { FileStorage } from './file-storage.ts'
import { guardStorage, leaveTransaction, withOpenTransaction } from './open-transaction.ts'

const nothing = async (): Promise<never> => {
  throw new Error('Not asked here.')
}
const storage: FileStorage = guardStorage({
  list: async () => [],
  find: nothing,
  makeFolder: nothing,
  move: nothing,
  remove: nothing,
  read: nothing,
  stage: nothing,
  usage: nothing,
  clearLeftBehind: nothing,
  check: nothing,
})

test('a store is refused while a transaction is open, however deep the call is', async () => {
  const deep = async (): Promise<unknown> => {
    await Promise.resolve()
    return storage.list(['1'])
  }
  await expect(withOpenTransaction(deep)).rejects.toThrow(
    'open transaction may not call the store of files (list)',
  )
  await expect(deep()).resolves.toEqual([])
})

test('what a handler started and outlives it reaches the store, also before it ends', async () => {
  const started = await withOpenTransaction(async () => {
    const outside = leaveTransaction(() => Promise.resolve().then(() => storage.list(['1'])))
    await expect(outside).resolves.toEqual([])
    return () => storage.list(['1'])
  })
  await expect(started()).resolves.toEqual([])
})
