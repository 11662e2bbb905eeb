import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

const hidden = foreignTo(404)
type At = TestOrganization
/** Participants aren't users: participants.test.ts has the targets of others. */
const notOfUsers = 'takes no ids'
const ofOwn = {
  input: async ({ addOwnTarget }: At) => ({ targetId: (await addOwnTarget()).targetId }),
  foreign: notOfUsers,
} as const
const own = {
  input: async ({ addOwnTarget }: At) => ({ id: (await addOwnTarget()).targetId }),
  foreign: notOfUsers,
} as const
const ofDelegation = {
  input: async ({ addOwnTarget }: At) => ({ targetId: (await addOwnTarget()).targetId, id: '999999999' }),
  allowedStatus: 404,
  foreign: notOfUsers,
} as const

const ofEvidence = {
  ...ofDelegation,
  input: async (at: At) => ({ ...(await ofDelegation.input(at)), questionCode: 'policy' }),
}

export const participantCases: Pick<Cases<typeof contract>, 'assessmentParticipants' | 'participantArea'> = {
  assessmentParticipants: {
    list: {
      input: async ({ addParticipant }) => ({ target: (await addParticipant()).targetId }),
      foreign: { 'sister organization': 'reached', 'other customer': 'reached' },
    },
    known: { input: () => ({ search: 'a' }), foreign: 'takes no ids' },
    add: {
      input: async ({ addAssessment }) => ({
        people: [
          { targetId: (await addAssessment()).targetId, name: 'Tom Becker', email: 'tom@people.example' },
        ],
      }),
      foreign: hidden,
    },
    update: {
      input: async ({ addParticipant }) => {
        const { participantId: id } = await addParticipant()
        return { id, name: 'Tom Becker', email: `tom.${id}@people.example`, language: 'fr' as const }
      },
      foreign: hidden,
    },
    send: {
      input: async ({ addParticipant }) => ({ ids: [(await addParticipant()).id] }),
      foreign: hidden,
    },
    extend: {
      input: async ({ addParticipant }) => ({ ids: [(await addParticipant()).id], expiresOn: '2027-01-31' }),
      foreign: hidden,
    },
    revoke: {
      input: async ({ addParticipant }) => ({ ids: [(await addParticipant()).id] }),
      foreign: hidden,
    },
    copyLink: { input: async ({ addParticipant }) => ({ id: (await addParticipant()).id }), foreign: hidden },
  },
  participantArea: {
    open: {
      input: async ({ addParticipant, linkOf }) => ({ token: await linkOf(await addParticipant()) }),
      foreign: notOfUsers,
    },
    signOut: { input: () => ({}), foreign: notOfUsers },
    work: { input: () => ({}), foreign: notOfUsers },
    setLanguage: { input: () => ({ language: 'es' }), foreign: notOfUsers },
    get: own,
    save: {
      input: async ({ addOwnTarget }) => ({
        targetId: (await addOwnTarget()).targetId,
        mutations: [change('policy', 'written')],
      }),
      foreign: notOfUsers,
    },
    reportPresence: {
      input: async ({ addOwnTarget }) => ({
        targetId: (await addOwnTarget()).targetId,
        visitId: crypto.randomUUID(),
        questionCode: 'policy',
      }),
      foreign: notOfUsers,
    },
    delegate: {
      input: async ({ addOwnTarget }) => ({
        targetId: (await addOwnTarget()).targetId,
        questionCode: 'policy',
        name: 'Ana Souza',
        email: 'ana.souza@people.example',
      }),
      foreign: notOfUsers,
    },
    takeBack: ofDelegation,
    remind: ofDelegation,
    ask: {
      input: async ({ addOwnTarget }) => ({
        targetId: (await addOwnTarget()).targetId,
        questionCode: 'policy',
        text: 'Which policy is meant?',
      }),
      foreign: notOfUsers,
    },
    addEvidence: {
      input: async ({ addOwnTarget }) => ({
        targetId: (await addOwnTarget()).targetId,
        questionCode: 'policy',
      }),
      foreign: notOfUsers,
    },
    useEvidence: ofEvidence,
    removeEvidence: ofEvidence,
    downloadEvidence: ofDelegation,
    submit: {
      ...ofOwn,
      // Required questions are open.
      allowedStatus: 409,
    },
    // Nothing was submitted. frozen-answers.test.ts submits.
    submission: { ...own, allowedStatus: 404 },
    verifySubmission: { ...ofOwn, allowedStatus: 404 },
    pdf: own,
  },
}
