import type { Received } from '#contract/endpoint.ts'
import type { User, users } from '#contract/identity/users/users.ts'
import { asIdentity, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { isInPlatform, refuseWhileImpersonating, refuseLocked } from '../user-types/grant-limits.ts'
import type { Identity } from '../identity.ts'
import { maskEmail } from '../credentials/factor-state.ts'
import { notifyAccountOwner } from '../owner-mail.ts'
import {
  type PasswordMail,
  sendPasswordMail,
  writeFirstMail,
  writePasswordMail,
} from '../passwords/password-mails.ts'
import { readRights } from '../user-types/permission-cache.ts'
import { readActivity } from './user-activity.ts'
import { addUser } from './add-users.ts'
import { changeUser, lockUser, refuseLast } from './update-users.ts'
import { listUsers, readUser } from './user-list.ts'
import { findOrphans, lockDestinationsOf, readUserUses } from './user-uses.ts'

/**
 * Users of the current customer: those in the actor's organization, or all if the actor has access to all
 * organizations.
 */
export function userHandlers(identity: Identity): Omit<Handlers<typeof users>, 'change'> {
  return {
    list: ({ db, actor, input }) => listUsers(db, actor, input),

    get: ({ db, actor, input }) => readUser(db, actor, input.id),

    async permissions({ db, actor, input }) {
      const { id, userTypeId, isSuper } = await readUser(db, actor, input.id)
      const of = { customerId: actor.customerId, userId: id, userTypeId, isSuper }
      const { permissions } = await readRights(db, { ...of, isPlatform: isInPlatform(actor) })
      return { isSuper, permissions: [...permissions] }
    },

    async activity({ db, actor, input }) {
      await readUser(db, actor, input.id)
      return readActivity(db, actor, input.id)
    },

    async add({ inTenant, actor, input }) {
      // Composed before the transaction, because that takes time.
      const mail = input.sendsPasswordMail
        ? await writeFirstMail(identity, actor.customerId, input.user)
        : null
      return inTenant(async (db) => {
        const id = await addUser(db, actor, input)
        if (mail !== null) await sendMail(identity, db, actor, { mail, id, endpoint: 'users.add' })
        return readUser(db, actor, id)
      })
    },

    async update({ inTenant, actor, input }) {
      const { before, after } = await inTenant(async (db) => {
        const changed = await changeUser(db, actor, input)
        return { before: changed, after: await readUser(db, actor, input.user.id) }
      })
      await tellOfNewNames(identity, actor, before, after)
      return after
    },

    async uses({ db, actor, input }) {
      const { id } = await readUser(db, actor, input.id)
      return readUserUses(db, id)
    },

    async remove({ db, actor, input }) {
      await removeUser(db, actor, input)
      return null
    },

    async sendPasswordMail({ inTenant, actor, input: { id } }) {
      refuseWhileImpersonating(actor)
      if (id === actor.effectiveUserId) throw forbidden('This is your own account. Use Change Password.')
      await inTenant((db) => refuseLocked(db, actor, id))
      const endpoint = 'users.sendPasswordMail'
      const of = { customerId: actor.customerId, userId: id }
      const mail = await writePasswordMail(identity, identity.iam, of, endpoint)
      return inTenant(async (db) => {
        await refuseLocked(db, actor, id)
        await sendMail(identity, db, actor, { mail, id, endpoint })
        return readUser(db, actor, id)
      })
    },
  }
}

/** Tells a user whose email address or user name was changed. Both sign in. */
async function tellOfNewNames(identity: Identity, actor: Member, before: User, after: User): Promise<void> {
  const email =
    before.email === after.email
      ? []
      : [`The email address of your account is now ${maskEmail(after.email)}.`]
  const name = before.userName === after.userName ? [] : [`Your user name is now ${after.userName}.`]
  const what = [...email, ...name]
  if (what.length === 0) return
  const of = { customerId: actor.customerId, userId: after.id }
  await notifyAccountOwner(identity, of, { what: what.join(' '), by: actor, formerEmail: before.email })
}

function sendMail(
  identity: Identity,
  db: Database,
  actor: Member,
  { mail, id, endpoint }: { mail: PasswordMail; id: string; endpoint: string },
): Promise<void> {
  return sendPasswordMail(identity, mail, id, {
    links: asIdentity(db),
    mails: db,
    by: actor,
    endpoint,
    // An actor limited to one organization can see the emails they sent.
    organizationId: actor.reach === 'organization' ? actor.organizationId : null,
  })
}

/**
 * Deletes a user with their sessions, password and memberships. Their name stays in the audit log.
 * @throws Failure 404, 403 if the actor can't change them or for oneself, 409 for the last super user, if an active lead destination would be left with no one, or with the current user if the version is stale.
 */
async function removeUser(
  db: Database,
  actor: Member,
  { id, version }: Received<typeof users.remove>,
): Promise<void> {
  const isLast = await lockUser(db, actor, id)
  const user = await readUser(db, actor, id)
  refuseWhileImpersonating(actor)
  if (id === actor.effectiveUserId) throw forbidden("You can't delete yourself.")
  if (user.lock !== null) throw forbidden(user.lock)
  if (version !== undefined && version !== user.version) throw stale('This user', user)
  if (user.isSuper && isLast) refuseLast()
  await lockDestinationsOf(db, id)
  const refusal = await findOrphans(db, id)
  if (refusal !== null) throw conflict(refusal)
  await db.deleteFrom('users').where('id', '=', id).execute()
}
