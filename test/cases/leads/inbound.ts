import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

const ofAddress = {
  input: async ({ addInboundAddress }: TestOrganization) => ({ id: await addInboundAddress() }),
  foreign: foreignTo(404),
}
const ofMessage = {
  input: async ({ addInboundMessage }: TestOrganization) => ({ id: await addInboundMessage() }),
  foreign: foreignTo(404),
}
/** There is no such address (inbound-leads.test.ts tests sending). */
const sent = { input: () => ({ token: 'none' }), allowedStatus: 404, foreign: 'takes no ids' } as const

export const inboundCases: Pick<
  Cases<typeof contract>,
  'inboundAddresses' | 'inboundMessages' | 'inboundLeads' | 'leadFiles'
> = {
  inboundAddresses: {
    list: { input: () => ({}), foreign: 'takes no ids' },
    get: ofAddress,
    add: {
      input: async ({ addLot }) => ({
        label: fresh('Leads'),
        sourceName: 'AutoTrader',
        lotId: await addLot(),
      }),
      foreign: foreignTo(400),
    },
    update: {
      input: async ({ addInboundAddress }) => ({ id: await addInboundAddress(), label: fresh('Leads') }),
      foreign: foreignTo(404),
    },
    renewUrls: ofAddress,
    revoke: ofAddress,
    remove: ofAddress,
  },
  inboundMessages: {
    list: {
      input: async ({ addInboundAddress }) => ({ addressId: await addInboundAddress() }),
      foreign: foreignTo(404),
    },
    get: ofMessage,
    retry: ofMessage,
    dismiss: ofMessage,
    dismissAutomatic: {
      input: async ({ addInboundAddress }) => ({ addressId: await addInboundAddress(), upTo: '1' }),
      foreign: foreignTo(404),
    },
  },
  inboundLeads: { adf: sent, mail: sent },
  leadFiles: {
    download: {
      input: async ({ addLeadFile }) => ({ id: await addLeadFile() }),
      // The factory stores no bytes.
      allowedStatus: 404,
      foreign: foreignTo(404),
    },
  },
}
