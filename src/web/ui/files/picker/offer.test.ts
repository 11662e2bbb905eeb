import { expect, test } from 'vitest'
import type { FileLeaf } from '#contract/files/files.ts'
import { nounOf, listingOf, press, receive, whyNot } from './offer.ts'

const file = (path: string, type: string, size = 100): FileLeaf => ({
  path,
  name: path.split('/').at(-1) ?? '',
  size,
  type,
  updatedAt: '2026-11-21T10:00:00.000Z',
})
const LOGO = file('Logos/Logo.svg', 'image/svg+xml')
const HERO = file('Logos/Hero.png', 'image/png', 300_000)
const TERMS = file('Logos/Terms.txt', 'text/plain')
const CONTENT = { nodes: [{ path: 'Logos/Old', name: 'Old' }], leafs: [HERO, LOGO, TERMS] }

const ONE = { kind: 'picture', isMany: false } as const
const MANY = { kind: 'any', isMany: true } as const

test('where pictures are wanted, other files are counted and not shown', () => {
  expect(listingOf(CONTENT, ONE, '')).toEqual({
    shown: { nodes: CONTENT.nodes, leafs: [HERO, LOGO] },
    total: 3,
    hidden: 1,
  })
  expect(listingOf(CONTENT, MANY, '')).toMatchObject({ total: 4, hidden: 0 })
})

test('a search narrows what is shown and not what there is', () => {
  expect(listingOf(CONTENT, ONE, 'log')).toEqual({ shown: { nodes: [], leafs: [LOGO] }, total: 3, hidden: 1 })
})

test('what is too large or of another kind says so and cannot be chosen', () => {
  const small = { ...ONE, most: 200_000 }
  expect([LOGO, HERO, TERMS].map((leaf) => whyNot(leaf, small))).toEqual([
    null,
    'Too large: at most 200 kB',
    'Not a picture',
  ])
  expect(press([LOGO], HERO, small)).toEqual([LOGO])
  expect(receive([LOGO], TERMS, small)).toEqual([LOGO])
})

test('of pictures, only those of the wanted types can be chosen', () => {
  const raster = { ...ONE, types: ['image/png', 'image/jpeg'] }
  expect([LOGO, HERO].map((leaf) => whyNot(leaf, raster))).toEqual(['Only PNG, JPEG', null])
})

test('a file exactly as large as allowed can be chosen', () => {
  expect(whyNot(HERO, { ...ONE, most: 300_000 })).toBeNull()
})

test('of one the second takes the place of the first, of many each comes and goes', () => {
  expect(press([LOGO], HERO, ONE)).toEqual([HERO])
  expect(press([HERO], HERO, ONE)).toEqual([HERO])
  expect(press([LOGO], HERO, MANY)).toEqual([LOGO, HERO])
  expect(press([LOGO, HERO], LOGO, MANY)).toEqual([HERO])
})

test('a file that was replaced stays chosen, as it is now', () => {
  const newer = { ...LOGO, size: 7 }
  expect(receive([LOGO, HERO], newer, MANY)).toEqual([HERO, newer])
  expect(receive([LOGO], newer, ONE)).toEqual([newer])
})

test.for([
  [ONE, 0, 'picture'],
  [ONE, 1, 'picture'],
  [MANY, 0, 'files'],
  [MANY, 1, '1 file'],
  [MANY, 1200, '1,200 files'],
] as const)('the words for what is chosen', ([wanted, number, words]) => {
  expect(nounOf(wanted, number)).toBe(words)
})
