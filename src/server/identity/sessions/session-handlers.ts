import type { sessions } from '#contract/identity/sessions/sessions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Actor, Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { refuseWhileImpersonating, refuseLocked } from '../user-types/grant-limits.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import { endOpenSession, listOpenSessions, readSignIns } from './open-sessions.ts'
import { endSessions } from './sessions.ts'
import { readUser } from '../users/user-list.ts'

type UserRow = { customerId: string; userId: string }

/** Active sessions: one's own, and those of others for administrators. Not available while impersonating. */
export function sessionHandlers(identity: Identity): Handlers<typeof sessions> {
  const { iam } = identity
  const note = (by: Actor, of: UserRow, { endpoint, what }: { endpoint: string; what: string }) =>
    noteEvent(iam, { customerId: of.customerId, by, endpoint, table: 'users', rowId: of.userId, what })

  return {
    own: async ({ actor }) => listOpenSessions(identity, ownOf(actor), actor.sessionId),

    async end({ actor, input }) {
      const user = ownOf(actor)
      if (!(await endOpenSession(iam, user, { id: input.id, reason: 'ended by its user' }))) {
        throw notFound('Session')
      }
      await note(actor, user, { endpoint: 'sessions.end', what: 'ended a session' })
      return null
    },

    async endAll({ actor, input }) {
      const user = ownOf(actor)
      await note(actor, user, {
        endpoint: 'sessions.endAll',
        what: input.which === 'all' ? 'signed out everywhere' : 'signed out everywhere else',
      })
      await endSessions(iam, user, 'signed out everywhere', {
        except: input.which === 'others' ? actor.sessionId : null,
        before: input.openedBefore ?? null,
      })
      return null
    },

    async ofPerson({ db, actor, input }) {
      await readUser(db, actor, input.id)
      return listOpenSessions(identity, inCustomer(actor, input.id), actor.sessionId)
    },

    async history({ db, actor, input }) {
      await readUser(db, actor, input.id)
      return readSignIns(iam, inCustomer(actor, input.id))
    },

    async endOfUser({ db, actor, input }) {
      const user = await requireManageable(db, actor, input.id)
      if (!(await endOpenSession(iam, user, { id: input.sessionId, reason: 'ended by an administrator' }))) {
        throw notFound('Session')
      }
      await note(actor, user, {
        endpoint: 'sessions.endOfUser',
        what: `ended a session of ${await nameOf(db, actor, input.id)}`,
      })
      return null
    },

    async endSessionsOfUser({ db, actor, input }) {
      const user = await requireManageable(db, actor, input.id)
      await note(actor, user, {
        endpoint: 'sessions.endSessionsOfUser',
        what: `signed out ${await nameOf(db, actor, input.id)} everywhere`,
      })
      await endSessions(iam, user, 'signed out by an administrator')
      return null
    },
  }
}

/** @throws Failure 403 while impersonating: sessions of the real user are theirs to see and end. */
function ownOf(actor: Actor): UserRow {
  refuseWhileImpersonating(actor)
  return { customerId: actor.userCustomerId, userId: actor.userId }
}

async function nameOf(db: Database, actor: Member, userId: string): Promise<string> {
  const { firstName, lastName } = await readUser(db, actor, userId)
  return `${firstName} ${lastName}`
}

const inCustomer = ({ customerId }: Member, userId: string): UserRow => ({ customerId, userId })

/**
 * @throws Failure 404 without access to the user, 403 if they have more permissions, and while impersonating.
 */
async function requireManageable(db: Database, actor: Member, userId: string): Promise<UserRow> {
  await refuseLocked(db, actor, userId)
  refuseWhileImpersonating(actor)
  return inCustomer(actor, userId)
}
