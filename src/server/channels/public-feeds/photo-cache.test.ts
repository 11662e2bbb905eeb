import { expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { makePhotoCache, PhotosBusy } from './photo-cache.ts'

const photo = (bytes = 10) => ({ name: 'a.jpg', type: 'image/jpeg', body: Buffer.alloc(bytes) })

test('a photo is loaded once for everyone who asks for it, and again after an hour', async () => {
  let loads = 0
  const read = makePhotoCache(async () => {
    loads += 1
    return photo()
  })
  await Promise.all([read('a'), read('a'), read('a')])
  expect(loads).toBe(1)
  clock.advance(3_600_001)
  await read('a')
  expect(loads).toBe(2)
})

test('a failure is not remembered', async () => {
  let loads = 0
  const read = makePhotoCache(async () => {
    loads += 1
    if (loads === 1) throw new Error('offline')
    return photo()
  })
  await expect(read('a')).rejects.toThrow('offline')
  expect((await read('a')).name).toBe('a.jpg')
})

test('what was used longest ago makes room', async () => {
  const loaded: string[] = []
  const read = makePhotoCache(async (place) => {
    loaded.push(place)
    return photo(30_000_000)
  })
  for (const place of ['a', 'b', 'a', 'c', 'a', 'b']) await read(place)
  expect(loaded).toEqual(['a', 'b', 'c', 'b'])
})

test('only eight are loaded at a time', async () => {
  const open: (() => void)[] = []
  const read = makePhotoCache(() => new Promise((resolve) => void open.push(() => resolve(photo()))))
  const eight = Array.from({ length: 8 }, (_, at) => read(`photo ${at}`))
  await expect(read('ninth')).rejects.toThrow(PhotosBusy)
  for (const end of open) end()
  await Promise.all(eight)
  const later = read('ninth')
  open.at(-1)?.()
  await expect(later).resolves.toMatchObject({ name: 'a.jpg' })
})
