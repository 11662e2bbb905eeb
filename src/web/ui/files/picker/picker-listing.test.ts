import { expect, test } from 'vitest'
import type { FileLeaf } from '#contract/files/files.ts'
import { nounOf, listingOf, toggleChoice, chooseUploaded, whyNot } from './picker-listing.ts'

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

test('when pictures are requested, other files are counted but not shown', () => {
  expect(listingOf(CONTENT, ONE, '')).toEqual({
    shown: { nodes: CONTENT.nodes, leafs: [HERO, LOGO] },
    total: 3,
    hidden: 1,
  })
  expect(listingOf(CONTENT, MANY, '')).toMatchObject({ total: 4, hidden: 0 })
})

test('a search narrows what is shown but not the total', () => {
  expect(listingOf(CONTENT, ONE, 'log')).toEqual({ shown: { nodes: [], leafs: [LOGO] }, total: 3, hidden: 1 })
})

test('a file that is too large or of another type shows why and cannot be chosen', () => {
  const small = { ...ONE, most: 200_000 }
  expect([LOGO, HERO, TERMS].map((leaf) => whyNot(leaf, small))).toEqual([
    null,
    'Too large: at most 200 kB',
    'Not a picture',
  ])
  expect(toggleChoice([LOGO], HERO, small)).toEqual([LOGO])
  expect(chooseUploaded([LOGO], TERMS, small)).toEqual([LOGO])
})

test('only pictures of the requested types can be chosen', () => {
  const raster = { ...ONE, types: ['image/png', 'image/jpeg'] }
  expect([LOGO, HERO].map((leaf) => whyNot(leaf, raster))).toEqual(['Only PNG, JPEG', null])
})

test('a file of exactly the maximum size can be chosen', () => {
  expect(whyNot(HERO, { ...ONE, most: 300_000 })).toBeNull()
})

test('a single choice is replaced; multiple choices are toggled', () => {
  expect(toggleChoice([LOGO], HERO, ONE)).toEqual([HERO])
  expect(toggleChoice([HERO], HERO, ONE)).toEqual([HERO])
  expect(toggleChoice([LOGO], HERO, MANY)).toEqual([LOGO, HERO])
  expect(toggleChoice([LOGO, HERO], LOGO, MANY)).toEqual([HERO])
})

test('a replaced file stays chosen in its new version', () => {
  const newer = { ...LOGO, size: 7 }
  expect(chooseUploaded([LOGO, HERO], newer, MANY)).toEqual([HERO, newer])
  expect(chooseUploaded([LOGO], newer, ONE)).toEqual([newer])
})

test.for([
  [ONE, 0, 'picture'],
  [ONE, 1, 'picture'],
  [MANY, 0, 'files'],
  [MANY, 1, '1 file'],
  [MANY, 1200, '1,200 files'],
] as const)('labels for the chosen files', ([wanted, number, words]) => {
  expect(nounOf(wanted, number)).toBe(words)
})
