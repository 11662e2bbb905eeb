import { expect, test } from 'vitest'
import { describeCopies, hostOf, namePhoto, readAddresses } from './photo-labels.ts'

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

test('says how far the photos on other servers are copied, and why others are not', () => {
  const now = new Date('2026-11-18T15:00:00Z')
  const say = (more: Partial<Parameters<typeof describeCopies>[0]>) =>
    describeCopies(
      { isPublished: true, photos: 4, copied: 4, waiting: 0, problems: [], limit: null, ...more },
      now,
    ).join(' ')
  expect(say({})).toBe('Copied: 4 photos on other servers.')
  expect(say({ isPublished: false, copied: 0 })).toBe(
    'Copied: 0 of 4 photos on other servers. Photos on other servers are copied while the vehicle is published.',
  )
  expect(say({ copied: 1, waiting: 3 })).toBe('Copied: 1 of 4 photos on other servers. Waiting: 3.')
  expect(say({ copied: 1, waiting: 3, limit: { of: 'photos', most: 100_000 } })).toContain(
    "Not copied: 3. Your company's limit of 100,000 copied photos is reached.",
  )
  expect(say({ copied: 1, waiting: 3, limit: { of: 'bytes', most: 2 * 1_048_576 } })).toContain(
    'limit of 2 MB',
  )
  const reason = 'The server returned status 404.'
  const problem = { host: 'a.example', reason, photos: 1, nextAt: '2026-11-18T15:05:00Z' }
  expect(say({ copied: 3, problems: [problem] })).toBe(
    'Copied: 3 of 4 photos on other servers. Failed: 1 photo, a.example. The server returned status 404. The next attempt is in 5 min.',
  )
})
