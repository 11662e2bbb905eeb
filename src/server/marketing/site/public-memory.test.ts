import { beforeEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { DatabaseAway, type DatabaseWatch } from '#server/database/database-watch.ts'
import { KEPT_MS, makePublicMemory, type PublicMemory } from './public-memory.ts'

let isAway = false
const watch: DatabaseWatch = {
  isAway: () => isAway,
  attempt: (work) => (isAway ? Promise.reject(new DatabaseAway()) : work()),
  onBack() {},
  stop() {},
}
const NORTH = { customerId: '1' }
const SOUTH = { customerId: '2' }
let memory: PublicMemory
let pages: ReturnType<typeof pagesOf>
const pagesOf = (of: PublicMemory) =>
  of.reader<string[]>({
    name: 'page',
    freshMs: 1_000,
    shows: (ids) => ({ vehicles: ids }),
    without: (ids, { vehicle }) => ids.filter(vehicle),
    bytesOf: (ids) => ids.length * 1_000,
  })
beforeEach(() => {
  isAway = false
  memory = makePublicMemory(watch, { maxBytes: 20_000, customerBytes: 8_000 })
  pages = pagesOf(memory)
})
const never = () => Promise.reject(new Error('The database was asked.'))

test('an answer is used in an outage for 15 minutes', async () => {
  await pages(NORTH, 'a', async () => ['7'])
  isAway = true
  clock.advance(KEPT_MS - 1_000)
  expect(await pages(NORTH, 'a', never)).toEqual(['7'])
  await expect(pages(NORTH, 'b', never)).rejects.toThrow(DatabaseAway)
  await expect(pages(SOUTH, 'a', never)).rejects.toThrow(DatabaseAway)
  clock.advance(1_001)
  await expect(pages(NORTH, 'a', never)).rejects.toThrow(DatabaseAway)
})

test('what was taken from the site is left out, also at once and from a read that began before', async () => {
  await pages(NORTH, 'a', async () => ['7', '8'])
  const late = Promise.withResolvers<string[]>()
  const reading = pages(NORTH, 'b', () => late.promise)
  memory.keepOnly('1', { vehicles: ['8'], forms: [], links: [], pages: [] })
  late.resolve(['7', '8'])
  await reading
  isAway = true
  expect(await pages(NORTH, 'a', never)).toEqual(['8'])
  clock.advance(1_001)
  await expect(pages(NORTH, 'b', never)).rejects.toThrow(DatabaseAway)
  memory.forget('1')
  await expect(pages(NORTH, 'a', never)).rejects.toThrow(DatabaseAway)
})

test('a customer with many pages displaces its own', async () => {
  const four = ['1', '2', '3', '4']
  await pages(SOUTH, 'only', async () => four)
  for (let n = 0; n < 10; n += 1) await pages(NORTH, `page ${n}`, async () => four)
  expect([memory.bytes('1'), memory.bytes('2')]).toEqual([4_500, 4_500])
  for (const customerId of ['3', '4', '5', '6']) await pages({ customerId }, 'a', async () => four)
  const total = ['1', '2', '3', '4', '5', '6'].reduce((all, id) => all + memory.bytes(id), 0)
  expect(total).toBeLessThanOrEqual(20_000)
})

test('an error that is not an outage is not hidden', async () => {
  await pages(NORTH, 'a', async () => ['7'])
  clock.advance(1_001)
  await expect(pages(NORTH, 'a', () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
})
