import { expect, test } from 'vitest'
import { comparePhotoNames, readPhotoName } from './photo-names.ts'

test.each([
  ['N10063.jpg', ['N10063'], null],
  ['n10063_1.JPG', ['n10063_1', 'n10063'], 1],
  ['N10063-02.webp', ['N10063-02', 'N10063'], 2],
  ['N10063 (3).jpeg', ['N10063 (3)', 'N10063'], 3],
  ['N10063 4.png', ['N10063 4', 'N10063'], 4],
  // A copy of the second.
  ['N10063_2 (1).jpg', ['N10063_2 (1)', 'N10063_2', 'N10063'], 2],
  ['1FTEW1EP5MFA00001_front left.jpg', ['1FTEW1EP5MFA00001_front left', '1FTEW1EP5MFA00001'], null],
  ['1FTEW1EP5MFA00001-10.jpg', ['1FTEW1EP5MFA00001-10', '1FTEW1EP5MFA00001'], 10],
  // Eighteen characters aren't a VIN, and a number alone is a stock number.
  ['1FTEW1EP5MFA000012.jpg', ['1FTEW1EP5MFA000012'], null],
  ['20417.jpg', ['20417'], null],
  ['_7.jpg', ['_7'], null],
  ['.jpg', [], null],
])('%s', (name, keys, place) => {
  expect(readPhotoName(name)).toEqual({ keys, place })
})

test('sorts photos by number, those without a number first', () => {
  const names = ['A1_10.jpg', 'A1_2.jpg', 'A1.jpg', 'A1_2 (1).jpg', 'VIN side.jpg']
  expect(names.toSorted(comparePhotoNames)).toEqual([
    'A1.jpg',
    'VIN side.jpg',
    'A1_2 (1).jpg',
    'A1_2.jpg',
    'A1_10.jpg',
  ])
})
