import type { contract } from '#contract/index.ts'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh } from '#test/factories/test-organization.ts'

const mapping = FeedMapping.parse({ fields: { vin: { source: { kind: 'column', column: 'VIN' } } } })

/** Changed by users with access to the whole customer, readable by every user in it. */
export const feedCases: Pick<Cases<typeof contract>, 'providerMappings'> = {
  providerMappings: {
    list,
    get: { input: async ({ addMapping }) => ({ id: await addMapping() }), foreign: customerWide },
    add: { input: () => ({ name: fresh('Mapping'), mapping }), foreign: 'takes no ids' },
    update: {
      input: async ({ addMapping }) => ({ id: await addMapping(), name: fresh('Mapping') }),
      foreign: foreignTo(403),
    },
    remove: { input: async ({ addMapping }) => ({ id: await addMapping() }), foreign: foreignTo(403) },
    versions: { input: async ({ addMapping }) => ({ id: await addMapping() }), foreign: customerWide },
    restore: {
      input: async ({ addMapping }) => ({ id: await addMapping(), to: 1 }),
      foreign: foreignTo(403),
    },
    exportOne: { input: async ({ addMapping }) => ({ id: await addMapping() }), foreign: customerWide },
    importOne: {
      input: () => ({
        kind: 'forecourt-provider-mapping' as const,
        format: 1 as const,
        name: fresh('Mapping'),
        provider: null,
        mapping,
      }),
      foreign: 'takes no ids',
    },
    // The file sent by the permission tests isn't a feed (provider-mappings.test.ts sends feeds).
    attempt: { input: () => ({ preset: 'homenet' }), allowedStatus: 400, foreign: 'takes no ids' },
  },
}
