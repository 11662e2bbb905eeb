import { expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { makePhotoCache } from './photo-cache.ts'

const photo = (bytes = 10) => ({ name: 'a.jpg', type: 'image/jpeg', body: Buffer.alloc(bytes) })
const cache = (load: Parameters<typeof makePhotoCache>[0]) =>
  makePhotoCache(load, (error) => error instanceof Error && error.message === 'offline')
const settle = () => new Promise(setImmediate)

test('a photo is loaded once for everyone who asks for it, and again after an hour', async () => {
  let loads = 0
  const read = cache(async () => {
    loads += 1
    return photo()
  })
  await Promise.all([read('a', '1'), read('a', '1'), read('a', '2')])
  expect(loads).toBe(1)
  clock.advance(3_600_001)
  await read('a', '1')
  expect(loads).toBe(2)
})

test('a failure is remembered for a minute: of a photo, and of a host that does not answer', async () => {
  const loaded: string[] = []
  let answer: Error | null = new Error('missing')
  const read = cache(async (place) => {
    loaded.push(place)
    if (answer !== null) throw answer
    return photo()
  })
  const [first, second] = ['https://host.example/1.jpg', 'https://host.example/2.jpg']
  await expect(read(first, '1')).rejects.toThrow('missing')
  await expect(read(first, '2')).rejects.toThrow('missing')
  expect(loaded).toEqual([first])
  answer = new Error('offline')
  await expect(read(second, '1')).rejects.toThrow('offline')
  clock.advance(59_000)
  answer = null
  await expect(read('https://host.example/3.jpg', '1')).rejects.toThrow('offline')
  expect((await read('https://other.example/1.jpg', '1')).name).toBe('a.jpg')
  clock.advance(1_001)
  expect((await read(second, '1')).name).toBe('a.jpg')
})

test('what was used longest ago makes room', async () => {
  const loaded: string[] = []
  const read = cache(async (place) => {
    loaded.push(place)
    return photo(30_000_000)
  })
  for (const place of ['a', 'b', 'a', 'c', 'a', 'b']) await read(place, '1')
  expect(loaded).toEqual(['a', 'b', 'c', 'b'])
})

test('a customer and a host have four places each, and what waits for a host that fails is not tried', async () => {
  const ends = new Map<string, (error: Error | null) => void>()
  const read = cache(
    (place) =>
      new Promise((resolve, reject) => {
        ends.set(place, (error) => (error === null ? resolve(photo()) : reject(error)))
      }),
  )
  const slow = Array.from({ length: 8 }, (_, at) => read(`https://slow.example/${at}`, '1'))
  const shared = read('https://slow.example/shared', '2')
  const good = read('https://good.example/1', '2')
  await settle()
  expect([...ends.keys()]).toEqual(
    [0, 1, 2, 3].map((at) => `https://slow.example/${at}`).concat('https://good.example/1'),
  )
  ends.get('https://good.example/1')?.(null)
  expect((await good).name).toBe('a.jpg')
  for (const [place, end] of ends) if (place.includes('slow')) end(new Error('offline'))
  const results = await Promise.allSettled([...slow, shared])
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 'rejected'))
  expect(ends.size).toBe(5)
})
