import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'

const hidden = foreignTo(404)
const missing = { allowedStatus: 404, foreign: hidden } as const
const someone = { ids: ['999999999'] }

export const participantCases: Pick<Cases<typeof contract>, 'assessmentParticipants'> = {
  assessmentParticipants: {
    list: { input: () => ({ assessment: '999999999' }), foreign: 'takes no ids' },
    known: { input: () => ({ search: 'a' }), foreign: 'takes no ids' },
    add: {
      input: () => ({ people: [{ targetId: '999999999', name: 'Tom Becker', email: 'tom@people.example' }] }),
      ...missing,
    },
    update: {
      input: () => ({ id: '999999999', name: 'Tom Becker', email: 'tom@people.example', language: 'en' }),
      ...missing,
    },
    send: { input: () => someone, ...missing },
    extend: { input: () => ({ ...someone, expiresOn: '2027-01-31' }), ...missing },
    revoke: { input: () => someone, ...missing },
    copyLink: { input: () => ({ id: '999999999' }), ...missing },
  },
}
