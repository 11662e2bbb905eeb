import { randomUUID } from 'node:crypto'
import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'

type UserCalls = 'impersonation' | 'sessions' | 'auditLog'

export const userCases: Pick<Cases<typeof contract>, UserCalls> = {
  impersonation: {
    impersonate: {
      // The caller isn't impersonating, so there is nothing to end; impersonation.test.ts covers the rest.
      input: () => ({ userId: null }),
      allowedStatus: 400,
      foreign: { input: async ({ createUser }) => ({ userId: await createUser() }), ...foreignTo(404) },
    },
  },
  sessions: {
    own: { input: () => ({}), foreign: 'takes no ids' },
    // Only the caller's own sessions exist here.
    end: {
      input: () => ({ id: randomUUID() }),
      allowedStatus: 404,
      foreign: {
        input: async ({ createUser, addSession }) => ({ id: await addSession(await createUser()) }),
        ...foreignTo(404),
      },
    },
    // The caller's sessions are needed for later cases.
    endAll: {
      input: () => ({ which: 'all', openedBefore: '2020-01-01T00:00:00Z' }),
      foreign: 'takes no ids',
    },
    ofPerson: { input: async ({ createUser }) => ({ id: await createUser() }), foreign: foreignTo(404) },
    history: { input: async ({ createUser }) => ({ id: await createUser() }), foreign: foreignTo(404) },
    endOfUser: {
      input: async ({ createUser, addSession }) => {
        const id = await createUser()
        return { id, sessionId: await addSession(id) }
      },
      foreign: foreignTo(404),
    },
    endSessionsOfUser: {
      input: async ({ createUser }) => ({ id: await createUser() }),
      foreign: foreignTo(404),
    },
  },
  auditLog: {
    list: { input: () => ({ search: 'a', sort: '-at', page: 1, pageSize: 20 }), foreign: 'takes no ids' },
    get: { input: async ({ addAuditEntry }) => ({ id: await addAuditEntry() }), foreign: foreignTo(404) },
  },
}
