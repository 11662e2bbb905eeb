import { expect, test } from 'vitest'
import { isMeant, joinPath, splitPath } from './starred-path.ts'

test.for([
  ['/out/stock.csv', '/out', 'stock.csv'],
  ['/stock.csv', '/', 'stock.csv'],
  ['stock.csv', '', 'stock.csv'],
  ['out/day/stock.csv', 'out/day', 'stock.csv'],
] as const)('splits %s into folder and name, and joins them again', ([path, folder, name]) => {
  expect(splitPath(path)).toEqual({ folder, name })
  expect(joinPath(folder, name)).toBe(path)
})

test.for([
  ['vehicles_20261122_0310.csv', 'vehicles_*.csv', true],
  ['vehicles_.csv', 'vehicles_*.csv', true],
  ['vehicles_1.csv.gz', 'vehicles_*.csv', false],
  ['old_vehicles_1.csv', 'vehicles_*.csv', false],
  ['Vehicles_1.csv', 'vehicles_*.csv', false],
  ['aXbYbZ', 'a*b*Z', true],
  ['abZ', 'a*b*b*Z', false],
  ['ab', 'ab*b', false],
  ['abb', 'ab*b', true],
  ['anything', '*', true],
  ['.stock.csv.7.part', '*', false],
  ['.stock.csv', '.*', true],
  ['stock.csv', 'stock.csv', true],
  ['a.b+c', 'a.b+*', true],
  ['axb+c', 'a.b+*', false],
] as const)('%s matches %s: %s', ([name, pattern, expected]) => {
  expect(isMeant(name, pattern)).toBe(expected)
})

test('a pattern with many stars is matched quickly', () => {
  const name = `${'ab'.repeat(120)}c`
  expect(isMeant(name, `${'*a*b'.repeat(100)}*d`)).toBe(false)
  expect(isMeant(name, `${'*a*b'.repeat(100)}*c`)).toBe(true)
})
