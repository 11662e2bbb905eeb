import { expect, test } from 'vitest'
import { checkAlbum, FADE_MS, ZOOM_FACTOR } from './album.ts'

test('an album without pictures is refused', () => {
  expect(() => checkAlbum([])).toThrow('The album has no pictures.')
})

test.for(['', '  '])('an item whose source is %j is refused by its number', (src) => {
  const album = [
    { src: 'a.png', caption: 'A' },
    { src, caption: 'B' },
  ]
  expect(() => checkAlbum(album)).toThrow('Picture 2 of the album has no source.')
})

test('an album whose items all have a source is taken as it is', () => {
  const album = [{ src: 'a.png', caption: '', downloadUrl: 'b.png' }]
  expect(checkAlbum(album)).toBe(album)
})

test('the fade and the zoom are those of the specification', () => {
  expect([FADE_MS, ZOOM_FACTOR]).toEqual([700, 1.5])
})
