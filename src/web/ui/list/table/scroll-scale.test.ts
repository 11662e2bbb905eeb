import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boxHeight, follow, isStuck, SAFE_HEIGHT, toRows, toTop } from './scroll-scale.ts'

const PAGE = 800
const ROW = 44
const scaleOf = (rows: number) => ({ real: boxHeight(rows * ROW) - PAGE, wanted: rows * ROW - PAGE })
const MILLION = scaleOf(1_000_000)

test("a list that fits the browser's limit is not scaled", () => {
  const small = scaleOf(20_000)
  expect(boxHeight(20_000 * ROW)).toBe(880_000)
  for (const top of [0, 1, 400_000, small.real])
    expect([toRows(small, top), toTop(small, top)]).toEqual([top, top])
  expect(follow(small, { top: 0, offset: 0 }, 500_000, PAGE)).toEqual({ top: 500_000, offset: 500_000 })
})

test("a million rows fit the browser's limit, and both ends can be reached", () => {
  expect(boxHeight(1_000_000 * ROW)).toBe(SAFE_HEIGHT)
  expect(toRows(MILLION, 0)).toBe(0)
  expect(toRows(MILLION, MILLION.real)).toBe(MILLION.wanted)
  expect(toTop(MILLION, MILLION.wanted)).toBe(MILLION.real)
})

test('the scale converts both ways and is monotonic', () => {
  fc.assert(
    fc.property(fc.nat(MILLION.real), fc.nat(MILLION.real), (one, other) => {
      expect(toTop(MILLION, toRows(MILLION, one))).toBeCloseTo(one, 3)
      expect(Math.sign(toRows(MILLION, one) - toRows(MILLION, other))).toBe(Math.sign(one - other))
    }),
  )
})

test('near both ends positions are exact', () => {
  expect(toRows(MILLION, 12_345)).toBe(12_345)
  expect(toRows(MILLION, MILLION.real - 12_345)).toBe(MILLION.wanted - 12_345)
})

test('a step moves the rows by the same distance, a jump follows the scroll bar', () => {
  const middle = { top: 4_000_000, offset: toRows(MILLION, 4_000_000) }
  expect(follow(MILLION, middle, 4_000_100, PAGE)).toEqual({ top: 4_000_100, offset: middle.offset + 100 })
  expect(follow(MILLION, middle, 3_999_900, PAGE).offset).toBe(middle.offset - 100)
  expect(follow(MILLION, middle, 6_000_000, PAGE).offset).toBe(toRows(MILLION, 6_000_000))
})

test('steps never leave the rows, and getting stuck at a false end is detected', () => {
  const atTop = follow(MILLION, { top: 100, offset: 50 }, 0, PAGE)
  expect(atTop).toEqual({ top: 0, offset: 0 })
  expect(isStuck(MILLION, atTop)).toBe(false)
  expect(isStuck(MILLION, { top: 0, offset: 9_000 })).toBe(true)
  expect(isStuck(MILLION, { top: MILLION.real, offset: MILLION.wanted - 9_000 })).toBe(true)
})
