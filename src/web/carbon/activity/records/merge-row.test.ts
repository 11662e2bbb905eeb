import { expect, test } from 'vitest'
import { gridRow } from '#web/ui/grid/grid-column.ts'
import { mergeRow } from './activity-rows.ts'

const CELLS = { quantity: '610', unit: 'therm', reference: 'A', comment: '', meterFrom: '' }
const base = gridRow('1', CELLS)
const row = (cells: Partial<typeof CELLS>) => gridRow('1', { ...CELLS, ...cells })

test.for([
  ['another cell is kept', { quantity: '710' }, { comment: 'B' }, ['comment'], []],
  [
    'the same cell is named',
    { quantity: '710' },
    { quantity: '650', reference: 'B' },
    ['reference'],
    ['quantity'],
  ],
  ['the same change is none', { quantity: '710' }, { quantity: '710' }, [], []],
  ['what only one changed stays', {}, { quantity: '650' }, ['quantity'], []],
] as const)('of two changes, %s', ([, mine, theirs, taken, both]) => {
  const merged = mergeRow({ base, mine: row(mine), theirs: row(theirs) })
  expect(merged).toMatchObject({ theirs: taken, both })
  expect(merged.row.cells).toEqual({ ...CELLS, ...theirs, ...mine })
})

test('a quantity is never joined with the unit of another user', () => {
  const merged = mergeRow({
    base,
    mine: row({ quantity: '710' }),
    theirs: row({ quantity: '18', unit: 'MWh' }),
  })
  expect(merged.row.cells).toMatchObject({ quantity: '710', unit: 'therm' })
  expect(merged.both).toEqual(['quantity', 'unit'])
})

test('without the row that both changed, everything that differs is named', () => {
  const merged = mergeRow({ base: undefined, mine: row({ quantity: '710' }), theirs: row({ comment: 'B' }) })
  expect(merged).toMatchObject({ theirs: [], both: ['quantity', 'comment'] })
})

test('text that cannot be read stays', () => {
  const mine = { ...row({ quantity: '7,1' }), refused: { quantity: 'ambiguous' } }
  const merged = mergeRow({ base, mine, theirs: row({ quantity: '650' }) })
  expect(merged.row).toMatchObject({ cells: { quantity: '7,1' }, refused: mine.refused })
  expect(merged.both).toEqual(['quantity'])
})
