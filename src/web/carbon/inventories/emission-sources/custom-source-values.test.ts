import { expect, test } from 'vitest'
import { ownActivity, sourceValues, withActivity } from './custom-source-values.ts'

const hotel = {
  activity: 'travel/hotel/uk',
  name: 'Hotel stay, UK',
  category: 'Hotels',
  origin: 'library' as const,
  scopes: ['3.6', '3.7'],
  units: ['room-night'],
  regions: ['GB'],
}

test('choosing an activity fills in its scope and unit, and keeps those that fit', () => {
  const empty = sourceValues(null, ['5'])
  expect(withActivity(empty, hotel)).toMatchObject({ scope: '3.6', unit: 'room-night', facilityIds: ['5'] })
  expect(withActivity({ ...empty, scope: '3.7' }, hotel).scope).toBe('3.7')
})

test('an activity that is not in the library gets a path from its name', () => {
  expect(withActivity({ ...sourceValues(null, []), name: 'Welding gas (CO₂)' }, null).activity).toBe(
    'own/welding-gas-co',
  )
  expect([ownActivity('Caña 2'), ownActivity('')]).toEqual(['own/cana-2', 'own/activity'])
})
