import { sql } from 'kysely'
import { fieldsOf } from '#contract/lists/list.ts'
import type { View, ViewState, views } from '#contract/lists/views.ts'
import type { Received } from '#contract/endpoint.ts'
import { describe } from '#contract/permission-text.ts'
import { readSort } from '#contract/queried-list.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import type { ListSource } from './list-source.ts'
import { matching, sortTerms } from './read-list.ts'
import { administersUserTypes, openSource, readView, sharesViews } from './views-read.ts'

/** The most views of one list that one user can own. */
const MAX_VIEWS = 50
/** Of an organization or a user type, for one list: everyone there has them in the menu. */
const MAX_SHARED_VIEWS = 100

type Scope = View['scope']
type ViewScope = { scope: Scope; organizationId: string | null; userTypeId: string | null }
type NewView = ViewScope & {
  list: string
  name: string
  state: ViewState
  ownerUserId: string
  ownerName: string
}

/** Adds a view. The caller must have checked its scope. */
export async function insertView(db: Database, { state, ...view }: NewView): Promise<string> {
  const { id } = await db
    .insertInto('listViews')
    .values({ ...view, state: JSON.stringify(state) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Saves the state of a list as a view, private or shared.
 * @throws Failure 400 for an unknown field, 403 without permission to share or for another user type, 409 for a name in use or too many views.
 */
export async function addView(
  db: Database,
  actor: Member,
  sources: readonly ListSource[],
  input: Received<typeof views.add>,
): Promise<View> {
  const source = await openSource(db, actor, sources, input.list)
  refuseState(source, actor, input.state)
  const place = await placeOf(db, actor, input)
  await refuseTooMany(db, actor, input.list)
  await refuseTooManyShared(db, actor, { list: input.list, place })
  const { list, name, state } = input
  const own = { ownerUserId: actor.effectiveUserId, ownerName: actor.effectiveFullName }
  const id = await requireFreeName(insertView(db, { ...place, ...own, list, name, state }))
  return readView(db, actor, sources, id)
}

/** @throws Failure 403 if the caller may not change it, 409 with the current view if the version is stale. */
export async function changeView(
  db: Database,
  actor: Member,
  sources: readonly ListSource[],
  input: Received<typeof views.update>,
): Promise<View> {
  const { id, version, name, state, scope, userTypeId } = input
  const current = await readView(db, actor, sources, id)
  if (current.lock !== null) throw forbidden(current.lock)
  if (scope === 'private' && !current.isMine) {
    throw forbidden('Only the owner of this view can make it private. Delete it instead.')
  }
  if (state !== undefined) refuseState(await openSource(db, actor, sources, current.list), actor, state)
  if ((scope ?? current.scope) !== 'private') requirePermission(actor, sharesViews)
  const isMoved = scope !== undefined || userTypeId !== undefined
  const place = isMoved
    ? await placeOf(db, actor, { scope: scope ?? current.scope, userTypeId: userTypeId ?? undefined })
    : null
  if (place !== null) await refuseTooManyShared(db, actor, { list: current.list, place, besides: id })
  const changed = await requireFreeName(
    db
      .updateTable('listViews')
      // An update needs at least one column, even where no field was sent.
      .set({
        version: sql`version`,
        ...place,
        ...(name !== undefined && { name }),
        ...(state !== undefined && { state: JSON.stringify(state) }),
      })
      .where('id', '=', id)
      .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
      .executeTakeFirst(),
  )
  const now = await readView(db, actor, sources, id)
  if (changed.numUpdatedRows === 0n) throw stale('This view', now)
  return now
}

/** @throws Failure 403 if the caller may not change it. */
export async function removeView(
  db: Database,
  actor: Member,
  sources: readonly ListSource[],
  input: Received<typeof views.remove>,
): Promise<void> {
  const read = () => readView(db, actor, sources, input.id)
  const { lock } = await read()
  if (lock !== null) throw forbidden(lock)
  await requireSeen(db, input, { table: 'listViews', noun: 'view', read: read })
  await db.deleteFrom('listViews').where('id', '=', input.id).execute()
}

/** The scope of a view: private, the current organization, or a user type. */
async function placeOf(
  db: Database,
  actor: Member,
  { scope, userTypeId }: { scope: Scope; userTypeId?: string | undefined },
): Promise<ViewScope> {
  if (scope === 'private') return { scope, organizationId: null, userTypeId: null }
  requirePermission(actor, sharesViews)
  if (scope === 'organization') return { scope, organizationId: actor.organizationId, userTypeId: null }
  const wanted = userTypeId ?? actor.userTypeId
  if (wanted !== actor.userTypeId && !actor.may(administersUserTypes)) {
    throw forbidden(
      `You can share views only with your own user type. Sharing with others requires ${describe(administersUserTypes)}.`,
    )
  }
  const type = await db
    .selectFrom('userTypes')
    .select('id')
    .where('customerId', '=', actor.customerId)
    .where('id', '=', wanted)
    .executeTakeFirst()
  if (type === undefined) {
    throw refused('Some fields are invalid.', { userTypeId: 'Choose a user type of this customer.' })
  }
  return { scope, organizationId: null, userTypeId: wanted }
}

/** @throws Failure 400 with the field that the list does not have for this user. */
function refuseState(source: ListSource, actor: Member, state: ViewState): void {
  const fields = new Map(fieldsOf(source.list, actor.may))
  const unknown = [...(state.columns ?? []), ...Object.keys(state.widths ?? {})].find(
    (id) => !fields.has(id) || fields.get(id)?.isColumn === false,
  )
  const refuse = (field: string, sentence: string) =>
    refused('Some fields are invalid.', { [`state.${field}`]: sentence })
  if (unknown !== undefined) throw refuse('columns', `There is no column ${unknown}.`)
  if (state.sort) {
    const terms = readSort(source.list, state.sort)
    if (typeof terms === 'string') throw refuse('sort', terms)
    sortTerms(source, actor, terms)
  }
  matching(source, actor, state)
}

async function refuseTooMany(db: Database, actor: Member, list: string): Promise<void> {
  // One at a time, because two concurrent requests could both add the last one.
  await acquireAdvisoryLock(db, `views ${actor.effectiveUserId} ${list}`)
  const { count } = await db
    .selectFrom('listViews')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('customerId', '=', actor.customerId)
    .where('ownerUserId', '=', actor.effectiveUserId)
    .where('list', '=', list)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_VIEWS)
    throw conflict(`You already have ${MAX_VIEWS} views of this list. Delete one first.`)
}

/** `besides`: a view that is moved there. @throws Failure 409 */
async function refuseTooManyShared(
  db: Database,
  actor: Member,
  { list, place, besides = null }: { list: string; place: ViewScope; besides?: string | null },
): Promise<void> {
  const { scope, organizationId, userTypeId } = place
  if (scope === 'private') return
  await acquireAdvisoryLock(db, `shared views ${actor.customerId} ${organizationId} ${userTypeId} ${list}`)
  const { count } = await db
    .selectFrom('listViews')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('customerId', '=', actor.customerId)
    .where('list', '=', list)
    .where('scope', '=', scope)
    .where(scope === 'organization' ? 'organizationId' : 'userTypeId', '=', organizationId ?? userTypeId)
    .$if(besides !== null, (query) => query.where('id', '!=', besides))
    .executeTakeFirstOrThrow()
  const whom = scope === 'organization' ? 'This organization' : 'This user type'
  if (Number(count) >= MAX_SHARED_VIEWS)
    throw conflict(`${whom} already shares ${MAX_SHARED_VIEWS} views of this list. Delete one first.`)
}

async function requireFreeName<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another view already has this name.', { name: 'This name is already in use.' })
    }
    throw error
  }
}
