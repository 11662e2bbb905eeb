import { expect, test } from 'vitest'
import type { Vehicle } from '#contract/inventory/vehicles/vehicles.ts'
import { giveUp, knownOf, lookThrough, settle, ingest } from './grid-save.ts'
import { aVehicle, OWN_FIELDS } from './test-vehicle.ts'
import { rowOf } from './vehicle-rows.ts'

const three = ['1', '2', '3'].map((id): Vehicle => ({ ...aVehicle, id, stock: `S${id}` }))
const priced = (price: string) =>
  three.map((vehicle) => {
    const row = rowOf(vehicle, OWN_FIELDS)
    return { ...row, cells: { ...row.cells, priceCents: price } }
  })

test('what was saved is no change any more; what is stale, refused or gone stays as it was written', () => {
  const rows = priced('50')
  const [one, two, three3] = three
  if (!one || !two || !three3) throw new Error('Three vehicles were made.')
  const present = { ...two, priceCents: 7_700, stock: 'Other', version: 9 }
  const next = ingest(rows, knownOf(three, OWN_FIELDS), [
    { outcome: 'saved', id: '1', vehicle: { ...one, priceCents: 5_000, version: 5 } },
    { outcome: 'stale', id: '2', vehicle: present, by: 'Luis Ortega' },
    { outcome: 'refused', id: '3', fields: { stock: 'Taken.' } },
  ])
  const seen = lookThrough(next.rows, next.known)
  expect([...seen.changed]).toEqual(['2', '3'])
  // The stale one waits for a decision; the refused one may be tried again.
  expect(seen.inputs.map(({ id }) => id)).toEqual(['3'])
  expect(seen.problems.get('3')?.['stock']).toEqual({ tone: 'error', text: 'Taken.' })
  expect(seen.problems.get('2')?.['priceCents']?.tone).toBe('warning')

  const mine = settle(next.rows, next.known, { id: '2', keeps: 'mine' })
  const again = lookThrough(mine.rows, mine.known)
  expect(again.inputs.find(({ id }) => id === '2')).toEqual({ id: '2', version: 9, priceCents: 5_000 })
  const theirs = settle(next.rows, next.known, { id: '2', keeps: 'theirs' })
  expect([...lookThrough(theirs.rows, theirs.known).changed]).toEqual(['3'])
  const given = giveUp(next.rows, next.known)
  expect(lookThrough(given.rows, given.known).changed.size).toBe(0)
  expect(given.rows[1]?.cells).toMatchObject({ stock: 'Other', priceCents: '77' })
})

test('a refusal is told until the row is written in again', () => {
  const next = ingest(priced('50'), knownOf(three, OWN_FIELDS), [
    {
      outcome: 'refused',
      id: '3',
      fields: { lotId: 'Choose one of your lots.', 'custom.custom_stage': 'Gone.' },
    },
  ])
  expect(lookThrough(next.rows, next.known).problems.get('3')?.['custom_stage']?.text).toBe('Gone.')
  const mended = next.rows.map((row) => ({ ...row, cells: { ...row.cells, priceCents: '51' } }))
  expect(lookThrough(next.rows, next.known).problems.has('3')).toBe(true)
  expect(lookThrough(mended, next.known).problems.has('3')).toBe(false)
})

test('what is gone is sent no more', () => {
  const next = ingest(priced('50'), knownOf(three, OWN_FIELDS), [{ outcome: 'gone', id: '1' }])
  expect(lookThrough(next.rows, next.known).inputs.map(({ id }) => id)).toEqual(['2', '3'])
})
