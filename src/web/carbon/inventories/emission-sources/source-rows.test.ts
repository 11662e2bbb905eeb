import { expect, test } from 'vitest'
import type { CustomSource } from '#contract/carbon/inventories/custom-sources.ts'
import { activityOfType, sourceGroups, titleOfType } from './source-rows.ts'

const hotel: CustomSource = {
  id: '7',
  sourceType: 'own-7',
  name: 'Hotel nights',
  scope: '3.6',
  activity: 'travel/hotel/uk',
  unit: 'room-night',
  records: 0,
  version: 1,
}

test('custom sources follow the standard ones of their category', () => {
  const [one, , three] = sourceGroups(
    [hotel, { ...hotel, sourceType: 'own-8', scope: '1', name: 'Boiler 2' }],
    [],
  )
  expect(one?.rows.at(-1)?.title).toBe('Boiler 2')
  const titles = three?.rows.map(({ title }) => title) ?? []
  expect(titles.indexOf('Hotel nights')).toBe(titles.indexOf('Employee commuting') - 1)
})

test('the name and activity of a custom source are its own', () => {
  expect([titleOfType('own-7', [hotel]), titleOfType('water', [hotel])]).toEqual([
    'Hotel nights',
    'Water supply',
  ])
  expect(activityOfType('own-7', 'US', [hotel])).toBe('travel/hotel/uk')
  expect(activityOfType('own-9', 'US', [hotel])).toBeNull()
})
