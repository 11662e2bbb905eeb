import { describe, expect, test } from 'vitest'
import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import { chainOf } from '#contract/organizations/chain.ts'
import { moveIn, rowsOf, statusOn } from './facility-tree.ts'

const facility = (id: string, parentId: string | null = null, more: Partial<Facility> = {}): Facility => ({
  id,
  organizationId: '1',
  level: 'site',
  parentId,
  code: id,
  name: `Facility ${id}`,
  type: null,
  address: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  gridRegion: null,
  floorArea: null,
  floorUnit: 'ft2',
  staff: null,
  openedOn: null,
  closedOn: null,
  lease: null,
  lotId: null,
  lotName: null,
  control: [{ validFrom: '2020-01-01', ownership: '50', operationalControl: true, financialControl: false }],
  version: 1,
  updatedAt: '2026-11-14T10:00:00Z',
  updatedBy: null,
  ...more,
})
// 1 > 2 > 3, and 4 at the top level. The parent of 5 is missing.
const ALL = [facility('3', '2'), facility('4'), facility('1'), facility('2', '1'), facility('5', '9')]
const ON = { day: '2026-01-01', approach: 'equity' } as const
const none = new Set<string>()
const shown = (closed: ReadonlySet<string>) =>
  rowsOf(ALL, closed, ON).map(({ facility: { id }, depth }) => `${'.'.repeat(depth - 1)}${id}`)

describe('tree rows', () => {
  test('come after their parent; a facility with an unknown parent is at the top level', () => {
    expect(shown(none)).toEqual(['4', '1', '.2', '..3', '5'])
    expect(shown(new Set(['2']))).toEqual(['4', '1', '.2', '5'])
  })

  test('have the inclusion of their whole chain', () => {
    expect(rowsOf(ALL, none, ON).map(({ inclusion }) => inclusion.percent)).toEqual([
      '50',
      '50',
      '25',
      '12.5',
      '50',
    ])
    expect(chainOf(ALL, '3').map(({ id }) => id)).toEqual(['1', '2', '3'])
  })

  test('end the chain at a cycle', () => {
    const cycle = [facility('1', '2'), facility('2', '1')]
    expect(chainOf(cycle, '1').length).toBe(2)
  })
})

describe('tree keys', () => {
  const rows = rowsOf(ALL, none, ON)
  test.for([
    ['1', 'up', { focus: '4' }],
    ['4', 'up', {}],
    ['1', 'down', { focus: '2' }],
    ['1', 'last', { focus: '5' }],
    ['3', 'first', { focus: '4' }],
    ['1', 'towardsEnd', { focus: '2' }],
    ['3', 'towardsEnd', {}],
    ['1', 'towardsStart', { close: '1' }],
    ['3', 'towardsStart', { focus: '2' }],
    ['4', 'towardsStart', {}],
    ['9', 'down', {}],
  ] as const)('in row %s, %s', ([id, key, move]) => {
    expect(moveIn(rows, none, id, key)).toEqual(move)
  })

  test('a collapsed row expands first', () => {
    const closed = new Set(['1'])
    expect(moveIn(rowsOf(ALL, closed, ON), closed, '1', 'towardsEnd')).toEqual({ open: '1' })
  })
})

test('a facility is in use from its opening date to its last day', () => {
  const used = facility('1', null, { openedOn: '2024-01-01', closedOn: '2025-06-30' })
  const days = ['2023-12-31', '2024-01-01', '2025-06-30', '2025-07-01']
  expect(days.map((day) => statusOn(used, day))).toEqual(['coming', 'open', 'open', 'closed'])
})
