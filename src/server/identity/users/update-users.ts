import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { User, users } from '#contract/identity/users/users.ts'
import type { Permission } from '#contract/permissions.ts'
import { asIdentity, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, stale } from '#server/http/failure.ts'
import { requireGrantable, refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { applyDifferences, differencesBetween, isSameSet } from '../user-types/permission-sets.ts'
import { endSessions } from '../sessions/sessions.ts'
import { readGrants } from '../user-types/user-type-list.ts'
import {
  explainRefusal,
  reachedOrganizations,
  requireSuperUser,
  lockAssignableType,
  requireAdminister,
} from './user-input.ts'
import { readUser } from './user-list.ts'
import { readDifferences, storeDifferences } from './user-rights.ts'

type UserInput = Received<typeof users.update>
type Changes = { current: User; given: UserInput['user']; permissions: UserInput['permissions'] }

/**
 * Changes a user: fields, memberships in organizations the actor can access, and permissions. Activating or
 * deactivating ends their sessions.
 * @returns the user before.
 * @throws Failure 404, 403 if the actor can't change them, 409 with the current user if the version is stale.
 */
export async function changeUser(
  db: Database,
  actor: Member,
  { user: given, permissions }: UserInput,
): Promise<User> {
  const isLast = await lockUser(db, actor, given.id)
  const current = await readUser(db, actor, given.id)
  if (current.lock !== null) throw forbidden(current.lock)
  if (given.version !== undefined && given.version !== current.version) throw stale('This user', current)

  const changes = { current, given, permissions }
  refuseOwn(actor, changes)
  if (ACCOUNT_FIELDS.some((field) => isChanged(changes, field))) refuseWhileImpersonating(actor)
  if (given.isSuper !== undefined && given.isSuper !== current.isSuper) requireSuperUser(actor)
  if (current.isSuper && isLast && (given.isSuper === false || given.isActive === false)) refuseLast()
  const hasNewMemberships = await changeMemberships(db, actor, changes)
  const hasNewPermissions = await changeRights(db, actor, changes)

  // Do this before the row is locked: identity may hold the user's sessions while it waits for the row.
  if (isChanged(changes, 'isActive')) {
    await endSessions(
      asIdentity(db),
      { customerId: actor.customerId, userId: given.id },
      'switched on or off',
    )
  }
  await explainRefusal(
    db
      .updateTable('users')
      // An update needs at least one column, even where no field was sent.
      .set({ version: sql`version`, ...columnsOf(given) })
      // Memberships and permissions are rows of their own. Changing any column increments the version of this
      // row.
      .$if(hasNewMemberships || hasNewPermissions, (change) =>
        change.set({ updatedAt: sql`app_clock_timestamp()` }),
      )
      .where('id', '=', given.id)
      .execute(),
  )
  return current
}

/** The input without what isn't a column of the user. */
function columnsOf({ id: _id, version: _version, organizationIds: _ids, ...columns }: UserInput['user']) {
  return columns
}

/**
 * Fields that give access to an account or define its permissions. While impersonating, only names, phone and
 * job title can be changed.
 */
const ACCOUNT_FIELDS = ['userName', 'email', 'userTypeId', 'isActive', 'isSuper'] as const

/** Whether a field is given and changed. Forms may send unchanged values back. */
function isChanged({ current, given }: Changes, field: (typeof ACCOUNT_FIELDS)[number]): boolean {
  return given[field] !== undefined && given[field] !== current[field]
}

/**
 * Locks the rows of all super users, of the actor and of the user, in one order so that two calls can't deadlock: of two people who
 * deactivate, delete or demote each other, the second finds that they may not do it anymore, and of two super users the last one
 * stays.
 * @returns whether no other active super user exists.
 * @throws Failure 404 without access to the user, 409 if the actor's own account was changed meanwhile.
 */
export async function lockUser(db: Database, actor: Member, id: string): Promise<boolean> {
  const { customerId, effectiveUserId, effectiveCustomerId } = actor
  const rows = await db
    .selectFrom('users')
    .select(['id', 'isActive', 'isSuper', 'userTypeId'])
    .where('customerId', '=', customerId)
    .where((is) => is.or([is('isSuper', '=', true), is('id', 'in', [id, effectiveUserId])]))
    .orderBy('id')
    // Not "for update": identity writes rows that refer to this one from its own connection.
    .forNoKeyUpdate()
    .execute()
  if (!rows.some((one) => one.id === id)) throw notFound('User')
  const own = rows.find((one) => one.id === effectiveUserId)
  const isOfOthers = effectiveCustomerId !== customerId
  if (!isOfOthers && !(own?.isActive === true && own.userTypeId === actor.userTypeId))
    throw conflict('Your own account was changed at the same moment, so nothing was done. Reload the page.')
  return !rows.some((other) => other.isSuper && other.isActive && other.id !== id)
}

export function refuseLast(): never {
  throw conflict('This is the last super user. Add another one first.')
}

/** Rejects changes that users can't make to themselves. Forms may send unchanged values back. */
function refuseOwn(actor: Member, changes: Changes): void {
  if (changes.current.id !== actor.effectiveUserId) return
  const own = ACCOUNT_FIELDS.find((field) => isChanged(changes, field))
  if (own !== undefined) throw forbidden(OWN_FIELD_MESSAGES[own])
}
const OWN_FIELD_MESSAGES = {
  // Otherwise an open session could email itself a link to the account.
  email: 'Ask an administrator to change your email address.',
  userName: 'Ask an administrator to change your user name.',
  userTypeId: "You can't change your own user type.",
  isActive: "You can't deactivate yourself.",
  isSuper: "You can't change your own super user status.",
  organizationIds: "You can't change your own organizations.",
  permissions: "You can't change your own permissions.",
} as const

async function changeMemberships(db: Database, actor: Member, { current, given }: Changes): Promise<boolean> {
  if (given.organizationIds === undefined) return false
  const wanted = new Set(given.organizationIds)
  const now = new Set(current.organizations.map(({ id }) => id))
  if (missingFrom(now, wanted).length + missingFrom(wanted, now).length === 0) return false
  if (current.id === actor.effectiveUserId) throw forbidden(OWN_FIELD_MESSAGES.organizationIds)
  refuseWhileImpersonating(actor)
  const reached = new Set(await reachedOrganizations(db, actor, given.organizationIds))
  const gone = missingFrom(reached, now)
  const added = missingFrom(now, reached)
  if (gone.length > 0) {
    await db
      .deleteFrom('memberships')
      .where('userId', '=', current.id)
      .where('organizationId', 'in', gone)
      .execute()
  }
  if (added.length > 0) {
    await db
      .insertInto('memberships')
      .values(added.map((organizationId) => ({ userId: current.id, organizationId })))
      .execute()
  }
  return gone.length + added.length > 0
}

const missingFrom = (those: ReadonlySet<string>, these: ReadonlySet<string>): string[] =>
  [...these].filter((id) => !those.has(id))

/**
 * Stores overrides so that the result is exactly the wanted set. When the type changes, overrides stay,
 * except those the new type makes redundant.
 */
async function changeRights(
  db: Database,
  actor: Member,
  { current, given, permissions }: Changes,
): Promise<boolean> {
  const typeId = given.userTypeId ?? current.userTypeId
  const hasNewType = typeId !== current.userTypeId
  if (!hasNewType && permissions === undefined) return false
  if (hasNewType) await lockAssignableType(db, actor, typeId)
  const [grants, stored] = [await readGrants(db, actor, typeId), await readDifferences(db, current.id)]
  const present: Permission[] = applyDifferences(grants, stored)
  const wanted = permissions ?? present
  const hasNewPermissions = !isSameSet(wanted, present)
  if (!hasNewType && !hasNewPermissions) return false
  if (hasNewPermissions) {
    if (current.id === actor.effectiveUserId) throw forbidden(OWN_FIELD_MESSAGES.permissions)
    refuseWhileImpersonating(actor)
    requireAdminister(actor)
  }
  requireGrantable(actor, wanted)
  await storeDifferences(db, current.id, differencesBetween(grants, wanted))
  return hasNewPermissions
}
