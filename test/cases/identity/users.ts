import { randomUUID } from 'node:crypto'
import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'

type PersonCalls = 'impersonation' | 'sessions' | 'auditLog'

export const personCases: Pick<Cases<typeof contract>, PersonCalls> = {
  impersonation: {
    impersonate: {
      // Nobody is in a skin, so there is nothing to go back from (impersonation.test.ts goes into some).
      input: () => ({ userId: null }),
      letIn: 400,
      foreign: { input: async ({ addPerson }) => ({ userId: await addPerson() }), ...foreignTo(404) },
    },
  },
  sessions: {
    own: { input: () => ({}), foreign: 'takes no ids' },
    // Sessions are one's own: those of others are not there.
    end: {
      input: () => ({ id: randomUUID() }),
      letIn: 404,
      foreign: {
        input: async ({ addPerson, addSession }) => ({ id: await addSession(await addPerson()) }),
        ...foreignTo(404),
      },
    },
    // Those of whoever asks are needed for the cases after this.
    endAll: {
      input: () => ({ which: 'all', openedBefore: '2020-01-01T00:00:00Z' }),
      foreign: 'takes no ids',
    },
    ofPerson: { input: async ({ addPerson }) => ({ id: await addPerson() }), foreign: foreignTo(404) },
    endOfPerson: {
      input: async ({ addPerson, addSession }) => {
        const id = await addPerson()
        return { id, sessionId: await addSession(id) }
      },
      foreign: foreignTo(404),
    },
    endAllOfPerson: { input: async ({ addPerson }) => ({ id: await addPerson() }), foreign: foreignTo(404) },
  },
  auditLog: {
    list: { input: () => ({ search: 'a', sort: '-at', page: 1, pageSize: 20 }), foreign: 'takes no ids' },
    get: { input: async ({ addAuditEntry }) => ({ id: await addAuditEntry() }), foreign: foreignTo(404) },
  },
}
