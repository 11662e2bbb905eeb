import type { TestOrganization } from '#test/factories/test-organization.ts'
import { foreignTo, list } from './foreign.ts'

/**
 * The cases of a record's calls, as `crud` declares them.
 * @param add adds one and returns its ID; `make` the input of a new one.
 */
export function recordCases<New>(add: (place: TestOrganization) => Promise<string>, make: () => New) {
  const ofOne = async (place: TestOrganization) => ({ id: await add(place) })
  return {
    list,
    get: { input: ofOne, foreign: foreignTo(404) },
    add: { input: make, foreign: 'takes no ids' },
    update: {
      input: async (place: TestOrganization) => ({ id: await add(place), ...make() }),
      foreign: foreignTo(404),
    },
    remove: { input: ofOne, foreign: foreignTo(404) },
    removeMany: {
      input: async (place: TestOrganization) => ({ selection: { ids: [await add(place)] } }),
      foreign: foreignTo(404),
    },
  } as const
}
