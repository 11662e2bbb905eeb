import { expect, test } from 'vitest'
import { tooMany } from '#server/http/failure.ts'
import { makeFairShare, makeThreadShare } from './fair-share.ts'

/** Work that ends on demand. */
function makeWork() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((done) => {
      started.push(name)
      ends.set(name, () => done(name))
    })
  return { started, work, end: (name: string) => ends.get(name)?.() }
}

/** Lets what became free be given away. */
const settle = () => new Promise(setImmediate)

test('each customer has one thread, and one that becomes free goes to who was served longest ago', async () => {
  const { started, work, end } = makeWork()
  const share = makeThreadShare({ mostRunning: 2 })
  const all = ['north 1', 'north 2', 'north 3', 'south 1'].map((name) =>
    share(name.split(' ')[0] ?? '', work(name)),
  )
  await settle()
  expect(started).toEqual(['north 1', 'south 1'])
  all.push(share('west', work('west 1')), share('east', work('east 1')))
  for (const name of ['north 1', 'west 1', 'south 1', 'east 1', 'north 2', 'north 3']) {
    end(name)
    await settle()
  }
  expect(started).toEqual(['north 1', 'south 1', 'west 1', 'east 1', 'north 2', 'north 3'])
  await Promise.all(all)
})

test('a thread serves customers in turn, however much one of them has waiting', async () => {
  const started: string[] = []
  const share = makeThreadShare({ mostRunning: 1, mostWaiting: 20 })
  const run = (customer: string, n: number) =>
    share(customer, async () => void started.push(`${customer} ${n}`))
  await Promise.all([
    ...[1, 2, 3, 4, 5].map((n) => run('north', n)),
    run('south', 1),
    run('south', 2),
    run('west', 1),
  ])
  expect(started).toEqual([
    'north 1',
    'south 1',
    'west 1',
    'north 2',
    'south 2',
    'north 3',
    'north 4',
    'north 5',
  ])
})

test('an owner has a number of places, and so does what several owners use', async () => {
  const { started, work, end } = makeWork()
  const share = makeFairShare({ placesEach: 2, mostWaiting: 3, full: () => tooMany('Full.', 1) })
  const all = [
    share('a', work('a on host 1'), 'host 1'),
    share('b', work('b on host 1'), 'host 1'),
    share('c', work('c on host 1'), 'host 1'),
    share('c', work('c on host 2'), 'host 2'),
    share('a', work('a on host 2'), 'host 2'),
    share('a', work('a on host 3'), 'host 3'),
  ]
  await settle()
  expect(started).toEqual(['a on host 1', 'b on host 1', 'c on host 2', 'a on host 2'])
  end('a on host 1')
  await settle()
  expect(started.slice(4)).toEqual(['c on host 1', 'a on host 3'])
  for (const name of started) end(name)
  await Promise.all(all)
})

test('queues three files per customer and rejects the next, without affecting other customers', async () => {
  const { work, end } = makeWork()
  const share = makeThreadShare()
  const running = ['1', '2', '3', '4'].map((name) => share('north', work(name)))
  await expect(share('north', work('5'))).rejects.toMatchObject({ status: 429 })
  const other = share('south', work('other'))
  await Promise.resolve()
  end('other')
  expect(await other).toBe('other')
  for (const name of ['1', '2', '3', '4']) {
    await new Promise(setImmediate)
    end(name)
  }
  expect(await Promise.all(running)).toEqual(['1', '2', '3', '4'])
})

test('failed work releases its thread', async () => {
  const share = makeThreadShare({ mostRunning: 1 })
  await expect(share('north', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await share('north', () => Promise.resolve('next'))).toBe('next')
})

test('work that waits too long for a place is refused, and takes none later', async () => {
  const { started, work, end } = makeWork()
  const share = makeFairShare({
    places: 1,
    placesEach: 1,
    mostWaiting: 9,
    longestWaitMs: 20,
    full: () => tooMany('Full.', 1),
  })
  const first = share('north', work('north'))
  await expect(share('south', work('south'))).rejects.toMatchObject({ status: 429 })
  end('north')
  await first
  const next = share('west', work('west'))
  await settle()
  expect(started).toEqual(['north', 'west'])
  end('west')
  await next
})
