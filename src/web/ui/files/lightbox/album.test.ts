import { expect, test } from 'vitest'
import { checkAlbum, FADE_MS, ZOOM_FACTOR } from './album.ts'

test('rejects an album without pictures', () => {
  expect(() => checkAlbum([])).toThrow('The album has no pictures.')
})

test.for(['', '  '])('rejects an item whose source is %j and names its number', (src) => {
  const album = [
    { src: 'a.png', caption: 'A' },
    { src, caption: 'B' },
  ]
  expect(() => checkAlbum(album)).toThrow('Picture 2 of the album has no source.')
})

test('returns an album unchanged if every item has a source', () => {
  const album = [{ src: 'a.png', caption: '', downloadUrl: 'b.png' }]
  expect(checkAlbum(album)).toBe(album)
})

test('fade and zoom match the specification', () => {
  expect([FADE_MS, ZOOM_FACTOR]).toEqual([700, 1.5])
})
