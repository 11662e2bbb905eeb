import { expect, test } from 'vitest'
import { readScreenshotOptions, suffixOf } from './screenshot-options.ts'

const read = (...words: string[]) => readScreenshotOptions(words, '/project')

test('without options every view is taken in eight sights into screenshots/, and nothing is compared', () => {
  const { out, before, sights, forEveryone, isWanted } = read()
  expect({ out, before, forEveryone }).toEqual({
    out: '/project/screenshots',
    before: null,
    forEveryone: false,
  })
  expect(new Set(sights.map(suffixOf)).size).toBe(8)
  expect(isWanted('lots')).toBe(true)
})

test('words after the options limit the views to those whose names start with one of them', () => {
  const { before, isWanted } = read('--compare', 'old', 'lots', 'user')
  expect(before).toBe('/project/old')
  expect(['lots-columns', 'user-new', 'lot', 'all-lots'].filter(isWanted)).toEqual([
    'lots-columns',
    'user-new',
  ])
})

test('sights are chosen by name, and an unknown name is an error that lists the others', () => {
  expect(read('--sights', 'dark,phone').sights.map(suffixOf)).toEqual([
    '-dark-1440-ltr.png',
    '-light-390-ltr.png',
  ])
  expect(() => read('--sights', 'dim')).toThrow('There is no sight named dim. There are: light, rtl, phone,')
})

test('new pictures never replace those they are compared with', () => {
  expect(() => read('--compare', 'screenshots')).toThrow('Name another folder with --out.')
})
