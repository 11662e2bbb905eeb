import { expect, test } from 'vitest'
import { followKey, type Spot } from './matrix-keys.ts'

const spots: readonly Spot[] = ['1 0', '1 1', '2 0', '2 1', '2 3', '2 8', '3 0', '3 3']
const press = (from: Spot, ...keys: string[]) =>
  keys.reduce<Spot>((spot, key) => followKey(spots, spot, key) ?? spot, from)

test('arrow keys skip blanks and stop at the edges', () => {
  expect(press('2 1', 'forward')).toBe('2 3')
  expect(press('2 3', 'back', 'back', 'back')).toBe('2 0')
  expect(press('2 3', 'ArrowDown', 'ArrowDown')).toBe('3 3')
  expect(press('1 1', 'ArrowDown', 'ArrowDown')).toBe('2 1')
  expect(press('2 8', 'ArrowUp')).toBe('2 8')
})

test('Home and End stay in the row; with Ctrl they go to the corners', () => {
  expect(press('2 3', 'Home')).toBe('2 0')
  expect(press('2 3', 'End')).toBe('2 8')
  expect(press('2 3', 'Control+Home')).toBe('1 0')
  expect(press('2 3', 'Control+End')).toBe('3 3')
  expect(press('1 0', 'PageDown')).toBe('3 0')
})

test('ignores other keys', () => {
  expect(followKey(spots, '1 0', 'a')).toBeNull()
})
