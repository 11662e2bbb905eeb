import { expect, test } from 'vitest'
import { findNamed, isPicture, kindOf, pathSteps } from './file-format.ts'

test.for([
  ['image/png', 'PNG picture'],
  ['video/mp4', 'MP4 video'],
  ['image/x-icon', 'ICO picture'],
  ['application/pdf', 'PDF'],
  ['application/x-unheard-of', 'File'],
] as const)('%s is shown as %s', ([type, words]) => {
  expect(kindOf({ type })).toBe(words)
})

test('a type that browsers cannot show is not a picture', () => {
  expect(
    ['image/png', 'image/svg+xml', 'image/x-icon', 'image/heic', 'text/html'].map((type) =>
      isPicture({ type }),
    ),
  ).toEqual([true, true, true, false, false])
})

test('the path of a folder lists each parent with its own path', () => {
  expect(pathSteps('a/b c')).toEqual([
    { path: 'a', name: 'a' },
    { path: 'a/b c', name: 'b c' },
  ])
  expect(pathSteps('')).toEqual([])
})

test('a search matches every word anywhere in the name, ignoring case', () => {
  const items = [{ name: 'Summer Sale.png' }, { name: 'sale.pdf' }]
  expect(findNamed(items, ' SALE sum ')).toEqual([{ name: 'Summer Sale.png' }])
  expect(findNamed(items, '')).toEqual(items)
})
