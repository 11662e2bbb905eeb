import { expect, test } from 'vitest'
import type { Endpoint } from './endpoint.ts'
import { contract } from './index.ts'
import { Opr } from './permissions.ts'

/** The operation that a call asks for, by its name. */
const BY_NAME: Readonly<Record<string, number>> = {
  list: Opr.list,
  get: Opr.read,
  add: Opr.create,
  update: Opr.update,
  change: Opr.update,
  remove: Opr.delete,
  removeMany: Opr.delete,
  delete: Opr.delete,
}

/**
 * A facility belongs to its organization's profile, a photo to its vehicle; whoever runs feeds keeps their sources; what is
 * summed up for a group or on the dashboard is no record that could be read.
 */
const OTHERS: Readonly<Record<string, number>> = {
  'facilities.remove': Opr.update,
  'feedSources.add': Opr.execute,
  'feedSources.update': Opr.execute,
  'feedSources.remove': Opr.execute,
  'feedRuns.add': Opr.execute,
  'vehiclePhotos.add': Opr.update,
  'carbonGroup.get': Opr.list,
  'dashboard.get': Opr.list,
}

const named = Object.entries(contract).flatMap(([group, calls]) =>
  Object.entries<Endpoint>(calls).flatMap(([name, { allow }]) => {
    const wanted = OTHERS[`${group}.${name}`] ?? BY_NAME[name]
    if (wanted === undefined || typeof allow !== 'object' || !('opr' in allow)) return []
    return [{ call: `${group}.${name}`, opr: allow.opr, wanted }]
  }),
)

test('a call asks for the operation that its name says', () => {
  expect(named.length).toBeGreaterThan(90)
  expect(named.filter(({ opr, wanted }) => opr !== wanted)).toEqual([])
})
