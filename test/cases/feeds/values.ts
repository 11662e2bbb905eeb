import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo } from '#test/cases/foreign.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

const ofMapping = async ({ addValueMapping }: TestOrganization) => ({ id: await addValueMapping() })
const ofValue = async ({ addUnmapped }: TestOrganization) => ({ id: await addUnmapped() })
const byValue = {
  input: () => ({ search: 'a', sort: '-raw', page: 1, pageSize: 20 }),
  foreign: 'takes no ids',
} as const
const newMapping = () => ({ field: 'body' as const, raw: fresh('Value'), canonical: 'SUV' })

/** Changed only by users with access to the whole customer, read by all of its users. Dealer IDs follow the access to lots. */
export const valueCases: Pick<Cases<typeof contract>, 'valueMappings' | 'unmappedValues' | 'dealerIds'> = {
  valueMappings: {
    list: byValue,
    get: { input: ofMapping, foreign: customerWide },
    add: { input: newMapping, foreign: 'takes no ids' },
    update: {
      input: async (place) => ({ ...(await ofMapping(place)), ...newMapping() }),
      foreign: foreignTo(403),
    },
    remove: { input: ofMapping, foreign: foreignTo(403) },
    removeMany: {
      input: async ({ addValueMapping }) => ({ ids: [await addValueMapping()] }),
      foreign: foreignTo(403),
    },
    importMany: {
      input: () => ({ text: `Value,Field,Becomes\n${fresh('Value')},Body,SUV\n` }),
      foreign: 'takes no ids',
    },
    preview: { input: () => ({}), foreign: 'takes no ids' },
    apply: {
      async input({ addVehicle, addValueMapping }) {
        const body = fresh('Value')
        await addVehicle({ body })
        await addValueMapping(body)
        return {}
      },
      foreign: 'takes no ids',
    },
  },
  unmappedValues: {
    list: byValue,
    get: { input: ofValue, foreign: customerWide },
    resolve: {
      input: async ({ addUnmapped }) => ({ values: [{ id: await addUnmapped(), canonical: 'SUV' }] }),
      foreign: foreignTo(403),
    },
    acceptSure: {
      async input({ addUnmapped }) {
        await addUnmapped()
        return {}
      },
      foreign: 'takes no ids',
    },
  },
  dealerIds: {
    unmatched: { input: () => ({}), foreign: 'takes no ids' },
    assign: {
      input: async ({ addUnmatched, addLot }) => ({ id: await addUnmatched(), lotId: await addLot() }),
      foreign: foreignTo(404),
    },
    release: {
      input: async ({ addLot }) => ({ lotId: await addLot(), dealerId: 'D1' }),
      foreign: foreignTo(404),
    },
  },
}
