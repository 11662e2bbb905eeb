import { expect, test } from 'vitest'
import { numberTable } from './number-table.ts'

test('returns the same values as a Map while it grows', () => {
  const [table, map] = [numberTable(), new Map<string, number>()]
  for (let n = 1; n <= 20_000; n += 1) {
    const key = `1FTFW5L80P${(n * 7_919) % 15_000}`
    expect(table.get(key)).toBe(map.get(key))
    table.set(key, n)
    map.set(key, n)
  }
  for (const [key, value] of map) expect(table.get(key)).toBe(value)
  expect(table.get('1FTFW5L80P')).toBeUndefined()
  expect(table.get('')).toBeUndefined()
})
