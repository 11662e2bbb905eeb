import { expect, test } from 'vitest'
import { placeOf } from './row-place.ts'

const IDS = ['7', '3', '9']

test('a row in the middle has both neighbours, and counts from the first page on', () => {
  expect(placeOf(IDS, '3', { page: 3, size: 25, filtered: 53 })).toEqual({
    place: 52,
    count: 53,
    previous: '7',
    next: '9',
  })
})

test('at either end of a page there is nothing further', () => {
  const first = { page: 1, size: 3, filtered: 8 }
  expect(placeOf(IDS, '7', first)).toMatchObject({ place: 1, previous: null, next: '3' })
  expect(placeOf(IDS, '9', first)).toMatchObject({ place: 3, previous: '3', next: null })
})

test('where all rows are scrolled, places count from the first row', () => {
  expect(placeOf(IDS, '9', { page: 1, size: 0, filtered: 2_000 })).toMatchObject({ place: 3, count: 2_000 })
})

test.for([undefined, '8'])('a row that is not on the page has no place', (id) => {
  expect(placeOf(IDS, id, { page: 1, size: 25, filtered: 3 })).toBeNull()
})
