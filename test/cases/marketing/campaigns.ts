import type { contract } from '#contract/index.ts'
import { EVERYONE } from '#contract/marketing/campaigns/audience.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo, list } from '#test/cases/foreign.ts'
import { recordCases } from '#test/cases/record-cases.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

const ofCampaign = async ({ addCampaign }: TestOrganization) => ({ id: (await addCampaign()).id })
const stepOf = { input: ofCampaign, foreign: foreignTo(404) } as const
/** Not in a state for these steps: refused after the campaign was found. */
const refusedStep = { ...stepOf, allowedStatus: 409 } as const

export const campaignCases: Cases<typeof contract>['campaigns'] = {
  ...recordCases(
    async ({ addCampaign }) => (await addCampaign()).id,
    () => ({ name: fresh('Campaign'), lotId: '1' }),
  ),
  add: {
    input: async ({ addLot }) => ({ name: fresh('Campaign'), lotId: await addLot() }),
    foreign: foreignTo(400),
  },
  update: {
    input: async ({ addCampaign }) => ({ id: (await addCampaign()).id, name: fresh('Campaign') }),
    foreign: foreignTo(404),
  },
  schedule: refusedStep,
  pause: refusedStep,
  resume: refusedStep,
  stop: refusedStep,
  countAudience: {
    input: async ({ addLot }) => ({ lotId: await addLot(), audience: EVERYONE }),
    foreign: foreignTo(400),
  },
  people: stepOf,
  preview: {
    input: async ({ addCampaign }) => ({ id: (await addCampaign()).id, personId: null }),
    foreign: foreignTo(404),
  },
  checks: stepOf,
  recipientCounts: stepOf,
  funnel: stepOf,
}

export const campaignRecipientCases: Cases<typeof contract>['campaignRecipients'] = {
  list: { ...list, input: () => ({ search: 'a', sort: '-mailedAt', page: 1 }) },
}

const ofList = async ({ addImportedList }: TestOrganization) => ({ id: await addImportedList() })

export const importedListCases: Cases<typeof contract>['importedLists'] = {
  list: { input: () => ({}), foreign: 'takes no ids' },
  get: { input: ofList, foreign: foreignTo(404) },
  // The file of the test isn't a list.
  add: {
    input: async ({ addLot }) => ({ name: fresh('List'), lotId: await addLot() }),
    foreign: foreignTo(400),
    allowedStatus: 400,
  },
  ask: { input: ofList, foreign: foreignTo(404), allowedStatus: 409 },
  remove: { input: ofList, foreign: foreignTo(404) },
}
