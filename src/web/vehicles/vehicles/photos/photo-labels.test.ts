import { expect, test } from 'vitest'
import { hostOf, namePhoto, readAddresses } from './photo-labels.ts'

test('names a photo by its alternative text or else its file name', () => {
  expect(namePhoto({ kind: 'file', place: 'Vehicles/front.png', alt: 'The front' })).toBe('The front')
  expect(namePhoto({ kind: 'file', place: 'Vehicles/front.png', alt: '' })).toBe('front.png')
  expect(namePhoto({ kind: 'address', place: 'https://a.example/b/c.jpg?w=9', alt: '' })).toBe('c.jpg')
  expect(hostOf('https://a.example/b/c.jpg')).toBe('a.example')
})

test('adds each new pasted URL once and reports invalid ones', () => {
  const there = { kind: 'address', place: 'https://a.example/1.jpg', alt: '' } as const
  const text =
    'https://a.example/1.jpg\nhttps://a.example/2.jpg https://a.example/2.jpg\n\nftp://b.example/3.jpg'
  expect(readAddresses(text, [there])).toEqual({
    added: [{ kind: 'address', place: 'https://a.example/2.jpg', alt: '' }],
    wrong: ['ftp://b.example/3.jpg'],
  })
})
