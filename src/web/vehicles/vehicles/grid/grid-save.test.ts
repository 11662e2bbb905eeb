import { expect, test } from 'vitest'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { discardChanges, knownOf, checkRows, resolveConflict, applyOutcomes } from './grid-save.ts'
import { aVehicle, OWN_FIELDS } from './test-vehicle.ts'
import { rowOf } from './vehicle-rows.ts'

const three = ['1', '2', '3'].map((id): Vehicle => ({ ...aVehicle, id, stock: `S${id}` }))
const priced = (price: string) =>
  three.map((vehicle) => {
    const row = rowOf(vehicle, OWN_FIELDS)
    return { ...row, cells: { ...row.cells, priceCents: price } }
  })

test('accepts saved rows and keeps the input of stale, rejected and deleted ones', () => {
  const rows = priced('50')
  const [one, two, three3] = three
  if (!one || !two || !three3) throw new Error('Three vehicles were made.')
  const present = { ...two, priceCents: 7_700, stock: 'Other', version: 9 }
  const next = applyOutcomes(rows, knownOf(three, OWN_FIELDS), [
    { outcome: 'saved', id: '1', vehicle: { ...one, priceCents: 5_000, version: 5 } },
    { outcome: 'stale', id: '2', vehicle: present, by: 'Luis Ortega' },
    { outcome: 'refused', id: '3', fields: { stock: 'Taken.' } },
  ])
  const seen = checkRows(next.rows, next.known)
  expect([...seen.changed]).toEqual(['2', '3'])
  // The stale row needs a decision; the rejected one can be sent again.
  expect(seen.inputs.map(({ id }) => id)).toEqual(['3'])
  expect(seen.problems.get('3')?.['stock']).toEqual({ tone: 'error', text: 'Taken.' })
  expect(seen.problems.get('2')?.['priceCents']?.tone).toBe('warning')

  const mine = resolveConflict(next.rows, next.known, { id: '2', keeps: 'mine' })
  const again = checkRows(mine.rows, mine.known)
  expect(again.inputs.find(({ id }) => id === '2')).toEqual({ id: '2', version: 9, priceCents: 5_000 })
  const theirs = resolveConflict(next.rows, next.known, { id: '2', keeps: 'theirs' })
  expect([...checkRows(theirs.rows, theirs.known).changed]).toEqual(['3'])
  const given = discardChanges(next.rows, next.known)
  expect(checkRows(given.rows, given.known).changed.size).toBe(0)
  expect(given.rows[1]?.cells).toMatchObject({ stock: 'Other', priceCents: '77' })
})

test('shows an error until the row is edited again', () => {
  const next = applyOutcomes(priced('50'), knownOf(three, OWN_FIELDS), [
    {
      outcome: 'refused',
      id: '3',
      fields: { lotId: 'Choose one of your lots.', 'custom.custom_stage': 'Gone.' },
    },
  ])
  expect(checkRows(next.rows, next.known).problems.get('3')?.['custom_stage']?.text).toBe('Gone.')
  const fixed = next.rows.map((row) => ({ ...row, cells: { ...row.cells, priceCents: '51' } }))
  expect(checkRows(next.rows, next.known).problems.has('3')).toBe(true)
  expect(checkRows(fixed, next.known).problems.has('3')).toBe(false)
})

test('does not send deleted vehicles again', () => {
  const next = applyOutcomes(priced('50'), knownOf(three, OWN_FIELDS), [{ outcome: 'gone', id: '1' }])
  expect(checkRows(next.rows, next.known).inputs.map(({ id }) => id)).toEqual(['2', '3'])
})
