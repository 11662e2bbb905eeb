import { expect, test } from 'vitest'
import { markDifferences } from './mark-differences.ts'

const pixels = (...colors: readonly number[][]) => new Uint8ClampedArray(colors.flat())
const WHITE = [255, 255, 255, 255]
const BLACK = [0, 0, 0, 255]

test('equal pictures differ in no pixel, and all of their pixels are drawn pale', () => {
  const marked = new Uint8ClampedArray(8)
  expect(markDifferences(pixels(WHITE, BLACK), pixels(WHITE, BLACK), marked)).toBe(0)
  expect([...marked]).toEqual([255, 255, 255, 255, 191, 191, 191, 255])
})

test('a pixel that differs in one channel counts, and is drawn red', () => {
  const marked = new Uint8ClampedArray(8)
  expect(markDifferences(pixels(WHITE, BLACK), pixels(WHITE, [0, 0, 3, 255]), marked)).toBe(1)
  expect(marked.slice(4)).toEqual(new Uint8ClampedArray([224, 0, 48, 255]))
})

test('a pixel that the browser rounded differently does not count', () => {
  const marked = new Uint8ClampedArray(4)
  expect(markDifferences(pixels([183, 188, 185, 255]), pixels([184, 190, 183, 255]), marked)).toBe(0)
})
