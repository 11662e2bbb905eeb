import { expect, test } from 'vitest'
import { idsBelow, walkTree } from './type-tree.ts'

const type = (id: string, parentId: string | null) => ({ id, parentId, name: `Type ${id}` })
const types = [type('4', '2'), type('3', '1'), type('2', '1'), type('1', null), type('9', '8')]

test('orders parents before children and siblings by name, with their depth', () => {
  expect(walkTree(types, null).map(({ id, depth }) => [id, depth])).toEqual([
    ['1', 0],
    ['2', 1],
    ['4', 2],
    ['3', 1],
    // Its parent is missing.
    ['9', 0],
  ])
})

test('starts at the given type', () => {
  expect(walkTree(types, '2').map(({ id, depth }) => [id, depth])).toEqual([
    ['2', 0],
    ['4', 1],
  ])
  expect(idsBelow(types, '1')).toEqual(new Set(['1', '2', '3', '4']))
})

test('returns nothing for an unknown type', () => {
  expect(walkTree(types, '7')).toEqual([])
})
