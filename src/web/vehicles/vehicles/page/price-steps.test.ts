import { expect, test } from 'vitest'
import { drawSteps } from './price-steps.ts'

const box = { width: 100, height: 40, now: Date.parse('2026-01-11T00:00:00Z') }
const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`

test('a price that fell is a line with a step down, and reaches to today', () => {
  const points = [
    { at: at(1), priceCents: 200 },
    { at: at(6), priceCents: 100 },
  ]
  expect(drawSteps(points, box)).toEqual({
    path: 'M0 0H50V40H100',
    end: { x: 100, y: 40 },
    dots: [
      { x: 0, y: 0, at: 0 },
      { x: 50, y: 40, at: 1 },
    ],
    least: 100,
    most: 200,
  })
})

test('breaks the line while there was no price', () => {
  const points = [
    { at: at(1), priceCents: null },
    { at: at(3), priceCents: 100 },
    { at: at(5), priceCents: null },
    { at: at(7), priceCents: 100 },
    { at: at(9), priceCents: null },
  ]
  expect(drawSteps(points, box)).toMatchObject({ path: 'M20 20H40M60 20H80', end: null })
})

test('returns no chart without a price', () => {
  expect(drawSteps([], box)).toBeNull()
  expect(drawSteps([{ at: at(1), priceCents: null }], box)).toBeNull()
})
