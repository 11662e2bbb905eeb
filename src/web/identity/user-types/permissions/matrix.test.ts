import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Permission } from '#contract/permissions.ts'
import { explain } from './explain.ts'
import {
  cellOf,
  DECLARED,
  findChanges,
  findGroups,
  isLocked,
  type Matrix,
  nameOf,
  originOf,
  permissionsOf,
  sumUpChanges,
  toCells,
  toggle,
  toPermissions,
} from './matrix.ts'
import { applyPreset, levelOf, nameLevel, presetsFor } from './permission-presets.ts'

const lots = { func: 8, title: 'Lots', operations: [1, 2, 3, 4, 5, 6] as const }
const [list, read, create, update, remove] = permissionsOf(lots)
const everything = { isSuper: true, permissions: [] }

function matrixOf(parts: {
  inherited?: readonly (Permission | undefined)[]
  wanted?: readonly (Permission | undefined)[]
  saved?: readonly (Permission | undefined)[]
  held?: Matrix['held']
}): Matrix {
  const cells = (given: readonly (Permission | undefined)[] = []) =>
    toCells(given.filter((one) => one !== undefined))
  const inherited = cells(parts.inherited)
  const wanted = cells(parts.wanted)
  const saved = parts.saved ? cells(parts.saved) : wanted
  return {
    inherited,
    compared: inherited,
    wanted,
    saved,
    held: parts.held ?? everything,
    isOtherCustomer: false,
  }
}

const someCells = fc.subarray([...DECLARED])
const anyMatrix = fc
  .record({
    inherited: someCells,
    wanted: someCells,
    saved: someCells,
    held: someCells,
    isSuper: fc.boolean(),
  })
  .map(({ held, isSuper, ...parts }) => matrixOf({ ...parts, held: { isSuper, permissions: held } }))
const anyRow = fc.constantFrom(
  ...findGroups(matrixOf({}), { search: '', onlyDifferences: false }).flatMap(({ rows }) => rows),
)

test('the grants of the type, plus overrides, minus denials, are the wanted set', () => {
  fc.assert(
    fc.property(anyMatrix, (matrix) => {
      const of = (origin: string) => DECLARED.filter((one) => originOf(matrix, one) === origin)
      const denied = toCells(of('denied'))
      const result = [...matrix.inherited].filter((cell) => !denied.has(cell)).concat(of('set').map(cellOf))
      expect(result.toSorted()).toEqual([...matrix.wanted].toSorted())
      expect([...toCells(toPermissions(matrix.wanted))].toSorted()).toEqual([...matrix.wanted].toSorted())
    }),
  )
})

test('the changes turn the saved set into the wanted set', () => {
  fc.assert(
    fc.property(anyMatrix, (matrix) => {
      const result = new Set(matrix.saved)
      for (const { permission, isGranted } of findChanges(matrix)) {
        expect(result.has(cellOf(permission))).toBe(!isGranted)
        if (isGranted) result.add(cellOf(permission))
        else result.delete(cellOf(permission))
      }
      expect(result).toEqual(matrix.wanted)
    }),
  )
})

test('clicks and presets leave locked cells and other rows unchanged', () => {
  fc.assert(
    fc.property(anyMatrix, anyRow, fc.nat(), (matrix, row, pick) => {
      const presets = presetsFor(row)
      const preset = presets[pick % presets.length] ?? 'none'
      const permissions = permissionsOf(row)
      const results = [applyPreset(matrix, row, preset), ...permissions.map((one) => toggle(matrix, one))]
      const untouched = DECLARED.filter((one) => one.func !== row.func || isLocked(matrix, one))
      for (const result of results)
        for (const one of untouched) expect(result.has(cellOf(one))).toBe(matrix.wanted.has(cellOf(one)))
    }),
  )
})

test('a row without locks shows the preset that was applied', () => {
  fc.assert(
    fc.property(anyMatrix, anyRow, fc.nat(), (matrix, row, pick) => {
      const presets = presetsFor(row)
      const preset = presets[pick % presets.length] ?? 'none'
      const wanted = applyPreset({ ...matrix, held: everything }, row, preset)
      expect(levelOf({ wanted }, row)).toEqual({ preset, extras: 0 })
    }),
  )
})

test('toggling a cell twice restores it', () => {
  fc.assert(
    fc.property(anyMatrix, fc.constantFrom(...DECLARED), (matrix, permission) => {
      const turned = { ...matrix, wanted: toggle(matrix, permission) }
      expect(toggle(turned, permission)).toEqual(matrix.wanted)
    }),
  )
})

test('explains every cell of a user', () => {
  const matrix = matrixOf({
    inherited: [list, read],
    wanted: [list, create],
    saved: [list, read, create],
    held: { isSuper: false, permissions: permissionsOf(lots).filter(({ opr }) => opr !== 5) },
  })
  const owner = { kind: 'user', typeName: 'Dealer user' } as const
  const texts = permissionsOf(lots).map((one) => explain(matrix, owner, one))
  expect(texts).toEqual([
    'Dealer user grants this.',
    'Denied for this user. Dealer user grants it. Not saved yet.',
    'Granted for this user only.',
    "Dealer user doesn't grant this.",
    "You don't have Lots, delete, so you can't grant it.",
    "Dealer user doesn't grant this.",
  ])
})

test('explains how a cell differs from the parent type', () => {
  const matrix = {
    ...matrixOf({ wanted: [list, read] }),
    compared: toCells([list, create].filter((one) => one !== undefined)),
  }
  const owner = { kind: 'type', name: 'Photographer', comparedWith: 'Dealer user' } as const
  expect([list, read, create, update].map((one) => one && explain(matrix, owner, one))).toEqual([
    'Photographer grants this.',
    "Photographer grants this. Dealer user doesn't.",
    "Photographer doesn't grant this. Dealer user does.",
    "Photographer doesn't grant this.",
  ])
})

test('summarizes the changes in one line', () => {
  const matrix = matrixOf({ wanted: [list, create, update], saved: [list, remove] })
  expect(sumUpChanges(findChanges(matrix))).toBe('+ Lots create, + Lots update, \u2212 Lots delete')
  expect(sumUpChanges(findChanges(matrix), 1)).toBe('+ Lots create, and 2 more')
  expect(nameOf({ func: 26, opr: 7 })).toBe('Vehicle data, execute')
})

test('finds functions by title, by number, and by difference', () => {
  const matrix = matrixOf({ inherited: [list], wanted: [] })
  const titles = (search: string, onlyDifferences = false) =>
    findGroups(matrix, { search, onlyDifferences }).flatMap(({ rows }) => rows.map(({ title }) => title))
  expect(titles('vehicle')).toEqual(['Vehicle data', 'Vehicle cost'])
  expect(titles('8')).toEqual(['Lots'])
  expect(titles('', true)).toEqual(['Lots'])
  expect(titles('zebra')).toEqual([])
})

test('shows platform permissions only to callers or targets that have them', () => {
  const held = { isSuper: false, permissions: [] }
  const titles = (matrix: Matrix) =>
    findGroups(matrix, { search: 'All customers', onlyDifferences: false }).length
  expect(titles(matrixOf({ held }))).toBe(0)
  expect(titles(matrixOf({}))).toBe(1)
  expect(titles(matrixOf({ held, wanted: [{ func: 50, opr: 1 }] }))).toBe(1)
  expect(titles({ ...matrixOf({}), isOtherCustomer: true })).toBe(0)
})

test('offers only presets that differ for the function', () => {
  expect(presetsFor({ func: 1, title: 'Dashboard', operations: [1] })).toEqual(['none', 'see'])
  expect(presetsFor(lots)).toEqual(['none', 'see', 'edit', 'full'])
})

test('names a row after its highest preset, plus the number of extra permissions', () => {
  const level = (...operations: number[]) =>
    nameLevel(levelOf({ wanted: toCells(operations.map((opr) => ({ func: 8, opr }))) }, lots))
  expect(level()).toBe('None')
  expect(level(1, 2)).toBe('View')
  expect(level(1, 2, 6)).toBe('View + 1')
  expect(level(1, 2, 3, 4, 5)).toBe('Edit + 1')
  expect(level(1, 2, 3, 4, 5, 6)).toBe('Full')
  for (const odd of [level(1), level(6), level(1, 2, 4), level(2, 3, 4)]) expect(odd).toBe('Custom')
})
