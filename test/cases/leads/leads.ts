import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

const id = async ({ addLead }: TestOrganization) => ({ id: await addLead() })
const ofLead = { input: id, foreign: foreignTo(404) }
/** A lead of this organization with something to change. */
const changed = <T extends object>(more: T) => ({
  input: async (place: TestOrganization) => ({ ...(await id(place)), ...more }),
  foreign: foreignTo(404),
})

const NOTHING = {
  people: 0,
  leads: 0,
  messages: 0,
  consents: 0,
  submissions: 0,
  texts: 0,
  emails: 0,
  mentions: 0,
}

export const leadCases: Pick<
  Cases<typeof contract>,
  | 'leads'
  | 'leadNotices'
  | 'leadAbsences'
  | 'leadTeam'
  | 'answerTemplates'
  | 'leadResponses'
  | 'leadSettings'
  | 'people'
  | 'personData'
> = {
  leads: {
    list: {
      ...list,
      input: () => ({ search: 'a', sort: 'waitsUntil,waitingSince,-receivedAt', page: 1 }),
    },
    counts: { input: () => ({ search: 'a' }), foreign: 'takes no ids' },
    stores: { input: () => ({ search: 'a' }), foreign: 'takes no ids' },
    get: ofLead,
    source: ofLead,
    add: {
      input: async ({ addLot }) => ({
        type: 'used',
        sourceName: 'Phone call',
        lotId: await addLot(),
        email: 'buyer@mail.example',
      }),
      foreign: foreignTo(400),
    },
    update: changed({ type: 'service' as const }),
    assignees: ofLead,
    change: {
      input: async (place) => ({
        selection: { ids: [await place.addLead()] },
        change: { kind: 'close' as const, lostReason: 'No answer' },
      }),
      foreign: foreignTo(404),
    },
    accept: ofLead,
    assign: changed({ userId: null }),
    // A new lead has no owner.
    giveBack: { ...ofLead, allowedStatus: 409 },
    snooze: changed({ until: '2027-01-02T15:00:00Z' }),
    setOutcome: changed({ outcome: 'contacted' as const }),
    addNote: changed({ text: 'Prefers mornings.' }),
    logCall: changed({ result: 'voicemail' as const }),
    sendEmail: changed({ subject: 'Your question', text: 'Yes, it is.' }),
    // A lead added by hand is never in quarantine.
    release: { ...ofLead, allowedStatus: 409 },
    remove: ofLead,
    discard: {
      input: async (place) => ({ ids: [(await id(place)).id] }),
      // Leads out of reach are skipped; leads.test.ts covers that.
      foreign: { 'sister organization': 'reached', 'other customer': 'reached' },
    },
  },
  leadTeam: { get: { input: () => ({}), foreign: 'takes no ids' } },
  leadAbsences: {
    own: { input: () => ({}), foreign: 'takes no ids' },
    setOwn: { input: () => ({ until: null }), foreign: 'takes no ids' },
    set: {
      input: async ({ createUser }) => ({ userId: await createUser('Dealer user'), until: 'today' as const }),
      foreign: foreignTo(404),
    },
  },
  answerTemplates: {
    list: { input: () => ({}), foreign: 'takes no ids' },
    get: {
      input: async (place) => ({ id: await place.addAnswerTemplate() }),
      foreign: customerWide,
    },
    add: {
      input: () => ({ name: fresh('Template'), text: 'Hello {firstName}' }),
      needsCustomerReach: true,
      foreign: 'takes no ids',
    },
    update: {
      input: async (place) => ({ id: await place.addAnswerTemplate(), text: 'Hello {name}' }),
      needsCustomerReach: true,
      foreign: foreignTo(403),
    },
    remove: {
      input: async (place) => ({ id: await place.addAnswerTemplate() }),
      needsCustomerReach: true,
      foreign: foreignTo(403),
    },
  },
  leadResponses: {
    get: { input: () => ({ from: '2026-11-01', to: '2026-11-30' }), foreign: 'takes no ids' },
    export: { input: () => ({ from: '2026-11-01', to: '2026-11-30' }), foreign: 'takes no ids' },
  },
  leadNotices: {
    get: { input: () => ({}), foreign: 'takes no ids' },
    update: { input: () => ({ isOn: true }), foreign: 'takes no ids' },
  },
  leadSettings: {
    get: { input: () => ({}), foreign: 'takes no ids' },
    update: { input: () => ({ responseMinutes: 20 }), foreign: 'takes no ids' },
    updateLot: {
      input: async ({ addLot }) => ({ lotId: await addLot(), responseMinutes: 10, managerId: null }),
      foreign: foreignTo(404),
    },
  },
  people: {
    update: {
      input: async ({ addPerson }) => ({ id: await addPerson(), postalCode: '95821' }),
      foreign: foreignTo(404),
    },
    similar: { input: async ({ addPerson }) => ({ id: await addPerson() }), foreign: foreignTo(404) },
    merge: {
      input: async ({ addPerson }) => ({ keptId: await addPerson(), mergedId: await addPerson() }),
      foreign: foreignTo(404),
    },
    tellApart: {
      input: async ({ addPerson }) => ({ id: await addPerson(), otherId: await addPerson() }),
      foreign: foreignTo(404),
    },
    addContact: {
      input: async ({ addPerson }) => ({
        personId: await addPerson(),
        kind: 'phone' as const,
        value: '916-555-0133',
      }),
      foreign: foreignTo(404),
    },
    updateContact: {
      input: async ({ addContact }) => ({ id: await addContact(), isPreferred: true }),
      foreign: foreignTo(404),
    },
    removeContact: { input: async ({ addContact }) => ({ id: await addContact() }), foreign: foreignTo(404) },
    undoMerge: {
      input: async ({ addMerge }) => ({ id: await addMerge() }),
      foreign: foreignTo(404),
    },
    revoke: {
      input: async ({ addPerson }) => ({ id: await addPerson(), channel: 'email', text: 'By phone.' }),
      foreign: foreignTo(404),
    },
    consent: {
      input: async ({ addPerson }) => ({ id: await addPerson(), channel: 'email', text: 'By phone.' }),
      foreign: foreignTo(404),
    },
  },
  personData: {
    find: { input: () => ({ contact: 'no.one@mail.example' }), foreign: 'takes no ids' },
    // There is nothing about this address.
    export: {
      input: () => ({ contact: 'no.one@mail.example' }),
      foreign: 'takes no ids',
      allowedStatus: 404,
    },
    erase: {
      input: () => ({ contact: 'no.one@mail.example', confirmed: NOTHING }),
      foreign: 'takes no ids',
      allowedStatus: 404,
    },
  },
}
