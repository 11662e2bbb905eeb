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
  refuseSuper,
  refuseUserType,
  refuseWithoutAdminister,
} from './user-input.ts'
import { readUser } from './user-list.ts'
import { readDifferences, storeDifferences } from './user-rights.ts'

type UserInput = Received<typeof users.update>
type Changes = { current: User; given: UserInput['user']; permissions: UserInput['permissions'] }

/**
 * Changes a person: their fields, memberships among the organizations that the actor reaches, and rights.
 * Their sessions end when they may sign in no more, or again.
 * @throws Failure 404, 403 above the ceiling, 409 with the person as they are when the version is stale.
 */
export async function changeUser(
  db: Database,
  actor: Member,
  { user: given, permissions }: UserInput,
): Promise<void> {
  const isLast = await lockUser(db, actor, given.id)
  const current = await readUser(db, actor, given.id)
  if (current.lock !== null) throw forbidden(current.lock)
  if (given.version !== undefined && given.version !== current.version) throw stale('This person', current)

  const changes = { current, given, permissions }
  refuseOwn(actor, changes)
  if (KEPT_IN_SKIN.some((field) => isOther(changes, field))) refuseWhileImpersonating(actor)
  if (given.isSuper !== undefined && given.isSuper !== current.isSuper) refuseSuper(actor)
  if (current.isSuper && isLast && (given.isSuper === false || given.isActive === false)) refuseLast()
  const isMoved = await changeMemberships(db, actor, changes)
  const isRegranted = await changeRights(db, actor, changes)

  // Before the row is written: what identity writes for the person at this moment holds their sessions, and would wait for
  // the row.
  if (isOther(changes, 'isActive')) {
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
      // Memberships and rights stand in rows of their own: any difference in this one counts the version up.
      .$if(isMoved || isRegranted, (change) => change.set({ updatedAt: sql`app_clock_timestamp()` }))
      .where('id', '=', given.id)
      .execute(),
  )
}

function columnsOf({ userName, firstName, lastName, email, phone, jobTitle, ...rest }: UserInput['user']) {
  const { userTypeId, isActive, isSuper } = rest
  return { userName, firstName, lastName, email, phone, jobTitle, userTypeId, isActive, isSuper }
}

/** What opens an account, or says what it may do: in somebody's skin one corrects names, phone and job title alone. */
const KEPT_IN_SKIN = ['userName', 'email', 'userTypeId', 'isActive', 'isSuper'] as const

/** Whether a field is there and differs: the unchanged value may come back with the form. */
function isOther({ current, given }: Changes, field: (typeof KEPT_IN_SKIN)[number]): boolean {
  return given[field] !== undefined && given[field] !== current[field]
}

/**
 * Holds the rows of all super users, and the person's: of two who take each other's rights the second finds that
 * nobody else is left. Super users first, in one order, so that two never wait for each other.
 * @returns whether no other super user may sign in.
 * @throws Failure 404 when the person is out of reach.
 */
export async function lockUser(db: Database, { customerId }: Member, id: string): Promise<boolean> {
  // Not "for update": what identity writes beside the row, from its own connection, refers to it.
  const rows = db.selectFrom('users').where('customerId', '=', customerId).forNoKeyUpdate()
  const supers = await rows.select(['id', 'isActive']).where('isSuper', '=', true).orderBy('id').execute()
  const person = await rows.select('id').where('id', '=', id).executeTakeFirst()
  if (person === undefined) throw notFound('Person')
  return !supers.some((user) => user.isActive && user.id !== id)
}

export function refuseLast(): never {
  throw conflict('This is the last super user. Make another one first.')
}

/** What one may not do to oneself. The unchanged value may come back with the form. */
function refuseOwn(actor: Member, changes: Changes): void {
  if (changes.current.id !== actor.effectiveUserId) return
  const own = KEPT_IN_SKIN.find((field) => isOther(changes, field))
  if (own !== undefined) throw forbidden(OWN[own])
}
const OWN = {
  // A session left open would mail itself a link to the account.
  email: 'Ask somebody who keeps users to change your e-mail address.',
  userName: 'Ask somebody who keeps users to change your user name.',
  userTypeId: 'You cannot change your own user type.',
  isActive: 'You cannot switch yourself off.',
  isSuper: 'You cannot make or unmake yourself a super user.',
  organizationIds: 'You cannot change your own organizations.',
  permissions: 'You cannot change your own permissions.',
} as const

async function changeMemberships(db: Database, actor: Member, { current, given }: Changes): Promise<boolean> {
  if (given.organizationIds === undefined) return false
  const wanted = new Set(given.organizationIds)
  const now = new Set(current.organizations.map(({ id }) => id))
  if (missingFrom(now, wanted).length + missingFrom(wanted, now).length === 0) return false
  if (current.id === actor.effectiveUserId) throw forbidden(OWN.organizationIds)
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
 * Stores differences from the type, so that exactly the wanted set comes out. Where the type changes, differences
 * stay, but for those that the new type makes needless.
 */
async function changeRights(
  db: Database,
  actor: Member,
  { current, given, permissions }: Changes,
): Promise<boolean> {
  const typeId = given.userTypeId ?? current.userTypeId
  const isRetyped = typeId !== current.userTypeId
  if (!isRetyped && permissions === undefined) return false
  if (isRetyped) await refuseUserType(db, actor, typeId)
  const [grants, stored] = [await readGrants(db, actor, typeId), await readDifferences(db, current.id)]
  const present: Permission[] = applyDifferences(grants, stored)
  const wanted = permissions ?? present
  const isRegranted = !isSameSet(wanted, present)
  if (!isRetyped && !isRegranted) return false
  if (isRegranted) {
    if (current.id === actor.effectiveUserId) throw forbidden(OWN.permissions)
    refuseWhileImpersonating(actor)
    refuseWithoutAdminister(actor)
  }
  requireGrantable(actor, wanted)
  await storeDifferences(db, current.id, differencesBetween(grants, wanted))
  return isRegranted
}
