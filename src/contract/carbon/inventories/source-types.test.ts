import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Scope } from '../factors/factor-schema.ts'
import { SOURCE_TYPES, suggestedAt, usualOf } from './source-types.ts'

/** Every path of the library. The path stands behind the key, the scope and the category, none of which has a comma in quotes. */
const library = readdirSync('data/carbon')
  .filter((name) => name.startsWith('factors-'))
  .map((name) => readFileSync(`data/carbon/${name}`, 'utf8'))
  .join('\n')
const isShipped = (activity: string) => library.includes(`,${activity},`)

test('every kind has an id of its own and a scope there is', () => {
  expect(new Set(SOURCE_TYPES.map(({ id }) => id)).size).toBe(SOURCE_TYPES.length)
  expect(SOURCE_TYPES.filter(({ scope }) => !Scope.safeParse(scope).success)).toEqual([])
})

test('every path is one of the library, but where an own factor is said to be needed', () => {
  const missing = SOURCE_TYPES.flatMap((type) =>
    [type.us[0], type.elsewhere[0]].filter(
      (activity) => !isShipped(activity) && type.needsOwnFactor !== true,
    ),
  )
  expect(missing).toEqual([])
  const needless = SOURCE_TYPES.filter((type) => type.needsOwnFactor && isShipped(type.us[0]))
  expect(needless).toEqual([])
})

test('a kind begins by what the country measures in', () => {
  const [gas] = SOURCE_TYPES
  const units = ['US', 'GB', null].map((country) => gas && usualOf(gas, country).unit)
  expect(units).toEqual(['therm', 'kWh', 'kWh'])
})

test('a workshop is proposed its refrigerant, tires and electricity, and nothing of a category that does not count', () => {
  const ids = (notRelevant: number[]) =>
    suggestedAt({ level: 'building', type: 'workshop' }, new Set(notRelevant)).map(({ id }) => id)
  expect(ids([])).toEqual(expect.arrayContaining(['refrigerant_vehicles', 'waste_tires', 'electricity']))
  expect(ids([5]).filter((id) => id.startsWith('waste'))).toEqual([])
})
