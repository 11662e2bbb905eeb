import { expect, test } from 'vitest'
import { hiddenEnds, scrollStep } from './scroll-step.ts'

test('an arrow scrolls by the width of the wrapper minus 80, mirrored in right-to-left', () => {
  expect(scrollStep(1000, 'end', 'ltr')).toBe(920)
  expect(scrollStep(1000, 'start', 'ltr')).toBe(-920)
  expect(scrollStep(1000, 'end', 'rtl')).toBe(-920)
  expect(scrollStep(1000, 'start', 'rtl')).toBe(920)
})

test('a very narrow wrapper does not scroll backwards', () => {
  expect(scrollStep(60, 'end', 'ltr')).toBe(0)
})

test.for([
  ['all in view', 0, { start: false, end: false }, 1000],
  ['at the start', 0, { start: false, end: true }, 1600],
  ['in between', 300, { start: true, end: true }, 1600],
  ['at the end', 599.5, { start: true, end: false }, 1600],
  ['at the end, mirrored', -600, { start: true, end: false }, 1600],
] as const)('%s', ([, scrollLeft, ends, scrollWidth]) => {
  expect(hiddenEnds({ scrollLeft, clientWidth: 1000, scrollWidth })).toEqual(ends)
})
