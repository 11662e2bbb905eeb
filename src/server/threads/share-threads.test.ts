import { expect, test } from 'vitest'
import { makeThreadShare } from './share-threads.ts'

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

test('each customer has one thread, and other customers skip ahead of its queue', async () => {
  const { started, work, end } = makeWork()
  const share = makeThreadShare({ mostRunning: 2 })
  const first = share.run('north', work('north 1'))
  const second = share.run('north', work('north 2'))
  const other = share.run('south', work('south 1'))
  await Promise.resolve()
  expect(started).toEqual(['north 1', 'south 1'])
  const last = share.run('west', work('west 1'))
  end('north 1')
  await first
  await Promise.resolve()
  expect(started).toEqual(['north 1', 'south 1', 'north 2'])
  end('south 1')
  await other
  await Promise.resolve()
  expect(started).toEqual(['north 1', 'south 1', 'north 2', 'west 1'])
  end('north 2')
  end('west 1')
  expect(await Promise.all([second, last])).toEqual(['north 2', 'west 1'])
})

test('queues three files per customer and rejects the next, without affecting other customers', async () => {
  const { work, end } = makeWork()
  const share = makeThreadShare()
  const running = ['1', '2', '3', '4'].map((name) => share.run('north', work(name)))
  await expect(share.run('north', work('5'))).rejects.toMatchObject({ status: 429 })
  const other = share.run('south', work('other'))
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
  await expect(share.run('north', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await share.run('north', () => Promise.resolve('next'))).toBe('next')
})
