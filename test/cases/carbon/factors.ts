import type { FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo, list } from '#test/cases/foreign.ts'
import { fresh } from '#test/factories/test-organization.ts'

/** A custom factor from a utility's letter. */
export function ownFactor(more: Partial<FactorInput> = {}): FactorInput {
  return {
    name: fresh('Hydro'),
    category: 'Purchased electricity',
    activity: 'electricity/grid',
    scopes: ['2'],
    region: 'CA-QC',
    unit: 'kWh',
    boundary: 'generation',
    validFrom: '2024-01-01',
    gases: [{ gas: 'CO2e', basis: 'co2e', kg: '0.0013' }],
    sourceNote: 'Letter of the utility, 2024-03-01',
    ...more,
  }
}

const takesNothing = { input: () => ({}), foreign: 'takes no ids' } as const

export const carbonCases: Pick<Cases<typeof contract>, 'factors' | 'factorEditions'> = {
  factors: {
    list,
    get: { input: async ({ addFactor }) => ({ id: await addFactor() }), foreign: foreignTo(404) },
    add: { input: () => ownFactor(), foreign: 'takes no ids' },
    preview: { input: () => ownFactor(), foreign: 'takes no ids' },
    update: {
      input: async ({ addFactor }) => ({ id: await addFactor(), version: 1, factor: ownFactor() }),
      foreign: foreignTo(404),
    },
    remove: { input: async ({ addFactor }) => ({ id: await addFactor() }), foreign: foreignTo(404) },
    usage: { input: async ({ addFactor }) => ({ id: await addFactor() }), foreign: foreignTo(404) },
    datasets: takesNothing,
    measures: takesNothing,
    find: {
      input: () => ({ query: 'electricity/grid', region: 'US-CAMX', date: '2025-06-01', unit: 'kWh' }),
      foreign: 'takes no ids',
    },
  },
  // The generic test file is not an edition. factor-editions.test.ts sends editions and deletes them.
  factorEditions: {
    read: { input: () => ({}), allowedStatus: 400, foreign: 'takes no ids' },
    add: { input: () => ({ details: '{}' }), allowedStatus: 400, foreign: 'takes no ids' },
    remove: { input: () => ({ id: '999999999' }), allowedStatus: 404, foreign: foreignTo(404) },
    template: takesNothing,
  },
}
