import { expect, test } from 'vitest'
import { findNamed, isPicture, kindOf, wayTo } from './file-format.ts'

test.for([
  ['image/png', 'PNG picture'],
  ['video/mp4', 'MP4 video'],
  ['image/x-icon', 'ICO picture'],
  ['application/pdf', 'PDF'],
  ['application/x-unheard-of', 'File'],
] as const)('%s is called %s', ([type, words]) => {
  expect(kindOf({ type })).toBe(words)
})

test('what no browser shows is no picture to look at', () => {
  expect(
    ['image/png', 'image/svg+xml', 'image/x-icon', 'image/heic', 'text/html'].map((type) =>
      isPicture({ type }),
    ),
  ).toEqual([true, true, true, false, false])
})

test('the way to a folder names each folder with its own path', () => {
  expect(wayTo('a/b c')).toEqual([
    { path: 'a', name: 'a' },
    { path: 'a/b c', name: 'b c' },
  ])
  expect(wayTo('')).toEqual([])
})

test('a search wants every word somewhere in the name, without case', () => {
  const items = [{ name: 'Summer Sale.png' }, { name: 'sale.pdf' }]
  expect(findNamed(items, ' SALE sum ')).toEqual([{ name: 'Summer Sale.png' }])
  expect(findNamed(items, '')).toEqual(items)
})
