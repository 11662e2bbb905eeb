import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Scope } from '../factors/factor-schema.ts'
import { SOURCE_TYPES, suggestedAt, defaultsFor } from './source-types.ts'

/** All library files. An activity path follows key, scope and category, which never contain quoted commas. */
const library = readdirSync('data/carbon')
  .filter((name) => name.startsWith('factors-'))
  .map((name) => readFileSync(`data/carbon/${name}`, 'utf8'))
  .join('\n')
const isShipped = (activity: string) => library.includes(`,${activity},`)

test('every source type has a unique id and a valid scope', () => {
  expect(new Set(SOURCE_TYPES.map(({ id }) => id)).size).toBe(SOURCE_TYPES.length)
  expect(SOURCE_TYPES.filter(({ scope }) => !Scope.safeParse(scope).success)).toEqual([])
})

test('every activity path is in the library unless the source type needs a custom factor', () => {
  const missing = SOURCE_TYPES.flatMap((type) =>
    [type.us[0], type.elsewhere[0]].filter(
      (activity) => !isShipped(activity) && type.needsOwnFactor !== true,
    ),
  )
  expect(missing).toEqual([])
  const needless = SOURCE_TYPES.filter((type) => type.needsOwnFactor && isShipped(type.us[0]))
  expect(needless).toEqual([])
})

test('a source type starts with the usual unit of the country', () => {
  const [gas] = SOURCE_TYPES
  const units = ['US', 'GB', null].map((country) => gas && defaultsFor(gas, country).unit)
  expect(units).toEqual(['therm', 'kWh', 'kWh'])
})

test('suggests refrigerant, tires and electricity for a workshop, and nothing from a category that is not relevant', () => {
  const ids = (notRelevant: number[]) =>
    suggestedAt({ level: 'building', type: 'workshop' }, new Set(notRelevant)).map(({ id }) => id)
  expect(ids([])).toEqual(expect.arrayContaining(['refrigerant_vehicles', 'waste_tires', 'electricity']))
  expect(ids([5]).filter((id) => id.startsWith('waste'))).toEqual([])
})
