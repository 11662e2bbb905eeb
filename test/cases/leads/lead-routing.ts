import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

const takesNothing = { input: () => ({}), foreign: 'takes no ids' } as const
const rule = async ({ addLeadRule }: TestOrganization) => ({ id: await addLeadRule() })
const destination = async ({ addLeadDestination }: TestOrganization) => ({ id: await addLeadDestination() })
const delivery = async ({ addLeadDelivery }: TestOrganization) => ({ id: await addLeadDelivery() })
/** The organizations of a customer share rules and destinations. */
const ofRule = { input: rule, foreign: customerWide }
const ofDestination = { input: destination, foreign: customerWide }
/** All organizations see them, and only users with customer reach change them. */
const changing = { needsCustomerReach: true, foreign: foreignTo(403) } as const
const targets = async ({ addLeadDestination }: TestOrganization) => [
  { destinationId: await addLeadDestination() },
]

export const leadRoutingCases: Pick<
  Cases<typeof contract>,
  'leadRoutingRules' | 'leadDestinations' | 'leadDeliveries'
> = {
  leadRoutingRules: {
    list: takesNothing,
    get: ofRule,
    add: {
      input: async (place) => ({ name: fresh('Rule'), targets: await targets(place) }),
      ...changing,
    },
    update: {
      input: async (place) => ({ ...(await rule(place)), sources: ['AutoTrader'] }),
      ...changing,
    },
    order: {
      // Not all of the rules.
      input: async (place) => ({ ids: [(await rule(place)).id, '999999999'], before: [] }),
      allowedStatus: 409,
      ...changing,
    },
    remove: { input: rule, ...changing },
    effects: takesNothing,
    simulate: {
      input: async (place) => ({
        ...(await rule(place)),
        rule: { targets: await targets(place) },
        leads: 10,
      }),
      foreign: customerWide,
    },
    test: { input: async ({ addLead }) => ({ id: await addLead() }), foreign: foreignTo(404) },
    explain: { input: async ({ addLead }) => ({ id: await addLead() }), foreign: foreignTo(404) },
    settings: takesNothing,
  },
  leadDestinations: {
    list: takesNothing,
    get: ofDestination,
    add: {
      input: () => ({ name: fresh('Destination'), kind: 'email', toEmail: 'leads@crm.example' }),
      needsCustomerReach: true,
      foreign: 'takes no ids',
    },
    update: { input: async (place) => ({ ...(await destination(place)), dailyCap: 20 }), ...changing },
    remove: { input: destination, ...changing },
    sendTest: { input: destination, ...changing },
    resume: { input: destination, ...changing },
    // Only webhooks have one.
    secret: { input: destination, allowedStatus: 409, ...changing },
  },
  leadDeliveries: {
    list: { ...list, input: () => ({ search: 'a', sort: '-createdAt' }) },
    get: { input: delivery, foreign: foreignTo(404) },
    content: { input: delivery, foreign: foreignTo(404) },
    // It waits for its first attempt.
    replay: { input: delivery, allowedStatus: 409, foreign: foreignTo(404) },
    replayMany: {
      input: async (place) => ({ ids: [(await delivery(place)).id] }),
      // Deliveries out of reach are skipped; lead-deliveries.test.ts covers that.
      foreign: { 'sister organization': 'reached', 'other customer': 'reached' },
    },
  },
}
