import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { evidence } from '#contract/carbon/activity/evidence.ts'
import type { Context } from '#server/http/serve.ts'
import type { FileStorage } from './file-storage.ts'
import {
  guardStorage,
  leaveTransaction,
  type OutsideStorage,
  withOpenTransaction,
} from './open-transaction.ts'

const nothing = async (): Promise<never> => {
  throw new Error('Not expected in this test.')
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

test('rejects storage calls while a transaction is open, however deep the call', async () => {
  const deep = async (): Promise<unknown> => {
    await Promise.resolve()
    return storage.list(['1'])
  }
  await expect(withOpenTransaction(deep)).rejects.toThrow(
    'open transaction may not call the file storage (list)',
  )
  await expect(deep()).resolves.toEqual([])
})

test('allows storage calls from work that outlives the handler, even before the handler ends', async () => {
  const started = await withOpenTransaction(async () => {
    const outside = leaveTransaction(() => Promise.resolve().then(() => storage.list(['1'])))
    await expect(outside).resolves.toEqual([])
    return () => storage.list(['1'])
  })
  await expect(started()).resolves.toEqual([])
})

test('a handler with a transaction cannot reach storage by its type; one that opens its own can', () => {
  const storageOf: OutsideStorage = () => storage
  // @ts-expect-error: `list` gets `db`, and therefore no `outside`. Checked by `npm run check`.
  const list = ({ outside }: Context<(typeof evidence)['list']>) => storageOf(outside)
  const download = ({ outside }: Context<(typeof evidence)['download']>) => storageOf(outside)
  // @ts-expect-error: nothing else has the type of the proof.
  const forged = () => storageOf({ isOutside: true })
  expect([list, download, forged].map((reach) => typeof reach)).toEqual(['function', 'function', 'function'])
})

test('says when the storage was full last', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const filled = guardStorage({
    list: async () => [],
    find: nothing,
    makeFolder: nothing,
    move: nothing,
    remove: nothing,
    read: nothing,
    stage: () => Promise.reject(full),
    usage: nothing,
    clearLeftBehind: nothing,
    check: async () => ({ in: 'folder', freeBytes: 10 }),
  })
  expect(await filled.check()).toEqual({ in: 'folder', freeBytes: 10, fullAt: null })
  await expect(filled.find(['1'])).rejects.toThrow('Not expected')
  expect(await filled.check()).toMatchObject({ fullAt: null })
  await expect(filled.stage(['1'], Readable.from([]), () => {})).rejects.toBe(full)
  expect((await filled.check()).fullAt).toMatch(/^\d{4}-\d\d-\d\dT/)
})
