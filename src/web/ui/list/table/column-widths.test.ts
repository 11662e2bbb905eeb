import { expect, test } from 'vitest'
import { LOT_LIST } from '#contract/customers/lots/lots.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { clampWidth, spreadWidths } from './column-widths.ts'
import { columnsOf } from '../list-state.ts'

const columns = columnsOf(LOT_LIST, () => true).filter(({ field }) => field.isHidden !== true)
const sum = (widths: Readonly<Record<string, number>>) =>
  Object.values(widths).reduce((total, width) => total + width, 0)

test('columns fill the available space to the pixel', () => {
  // With 1,240 to 1,260, text columns shrink.
  for (const room of [1_240, 1_250, 1_260, 1_340, 1_777, 2_400])
    expect(sum(spreadWidths({ columns, own: {}, room }))).toBe(room)
})

test('resized columns keep their width, the others share the rest', () => {
  const own = { code: 300 }
  const widths = spreadWidths({ columns, own, room: 1_600 })
  expect(widths['code']).toBe(300)
  expect(sum(widths)).toBe(1_600)
})

test('with little space text columns shrink, numbers do not, and then the table is wider than its frame', () => {
  const vehicles = columnsOf(VEHICLE_LIST, () => true)
  const [tight, tighter] = [900, 100].map((room) => spreadWidths({ columns: vehicles, own: {}, room }))
  expect(tight?.['price']).toBe(spreadWidths({ columns: vehicles, own: {}, room: 100 })['price'])
  expect(tight?.['price']).toEqual(tighter?.['price'])
  expect(sum(tight ?? {})).toBeGreaterThan(900)
})

test('while a table is wider than its frame, the edge of the frame cuts no number', () => {
  const vehicles = columnsOf(VEHICLE_LIST, () => true)
  const rooms = Array.from({ length: 120 }, (_, at) => 400 + at * 13)
  const cut = rooms.flatMap((room) => {
    const widths = spreadWidths({ columns: vehicles, own: {}, room })
    let end = 0
    return vehicles.flatMap(({ id, field }) => {
      const start = end
      end += widths[id] ?? 0
      const isNumber = ['integer', 'decimal', 'money'].includes(field.kind)
      return isNumber && start < room && end > room ? [`${field.title} at ${room}`] : []
    })
  })
  expect(cut).toEqual([])
})

test('a column is wide enough for its header', () => {
  const widths = spreadWidths({ columns, own: {}, hints: { isPublic: 10 }, room: 100 })
  expect(widths['isPublic']).toBeGreaterThan('Public pages'.length * 6 + 24)
})

test('saved widths are whole numbers within bounds', () => {
  expect([clampWidth(3), clampWidth(120.4), clampWidth(5_000)]).toEqual([48, 120, 1_000])
})

test('a VIN is never cut, however narrow the table', () => {
  const vehicles = columnsOf(VEHICLE_LIST, () => true)
  for (const hints of [{}, { vin: 120 }])
    for (const room of [300, 900, 1_160, 4_000])
      expect(spreadWidths({ columns: vehicles, own: {}, hints, room })['vin']).toBeGreaterThanOrEqual(172)
})
