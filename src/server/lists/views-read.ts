import { sql } from 'kysely'
import { fieldsOf } from '#contract/lists/list.ts'
import { ViewState, type View } from '#contract/lists/views.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { readSort } from '#contract/queried-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import { type ListSource, widened } from './list-source.ts'

export const administersUserTypes = can(Func.userTypes, Opr.administer)
/** Showing a view to others. Read-only users don't have it. */
export const sharesViews = can(Func.sharedViews, Opr.create)

/**
 * The list with this key.
 * @throws Failure 404 for an unknown list, 403 for a list that the caller may not read.
 */
export function sourceOf(sources: readonly ListSource[], actor: Member, key: string): ListSource {
  const source = sources.find(({ list }) => list.key === key)
  if (source === undefined) throw notFound('List')
  const { allow } = source.list
  if (allow !== null) requirePermission(actor, allow)
  return source
}

/** Like `sourceOf`, with the customer's custom fields. @throws Failure like `sourceOf` */
export async function openSource(
  db: Database,
  actor: Member,
  sources: readonly ListSource[],
  key: string,
): Promise<ListSource> {
  return widened(db, actor, sourceOf(sources, actor, key))
}

/** The views a user sees: their own, those of the current organization, and those of their user type. */
function isSeen(actor: Member) {
  return sql<boolean>`v.customer_id = ${actor.customerId} and (v.owner_user_id = ${actor.effectiveUserId}
    or (v.scope = 'organization' and v.organization_id = ${actor.organizationId})
    or (v.scope = 'userType' and v.user_type_id = ${actor.userTypeId}))`
}

function selectViews(db: Database, actor: Member) {
  return db
    .selectFrom('listViews as v')
    .leftJoin('userTypes as t', (join) =>
      join.onRef('t.customerId', '=', 'v.customerId').onRef('t.id', '=', 'v.userTypeId'),
    )
    .leftJoin('defaultViews as d', (join) =>
      join
        .onRef('d.customerId', '=', 'v.customerId')
        .onRef('d.viewId', '=', 'v.id')
        .on('d.userId', '=', actor.effectiveUserId),
    )
    .select([
      'v.id',
      'v.list',
      'v.name',
      'v.scope',
      'v.userTypeId',
      't.name as userTypeName',
      'v.ownerUserId',
      'v.ownerName',
      'v.state',
      'v.version',
      sql<boolean>`d.view_id is not null`.as('isDefault'),
    ])
}

type Row = Awaited<ReturnType<typeof readViewRows>>[number]

/** Own views first, then the organization's, then the user type's, each by name. */
function readViewRows(db: Database, actor: Member, key: string) {
  return selectViews(db, actor)
    .where(isSeen(actor))
    .where('v.list', '=', key)
    .orderBy(sql`array_position(array['private', 'organization', 'userType'], v.scope)`)
    .orderBy('v.nameKey')
    .orderBy('v.id')
    .execute()
}

export async function readViews(db: Database, actor: Member, { list }: ListSource): Promise<View[]> {
  const rows = await readViewRows(db, actor, list.key)
  return rows.map((row) => toView(row, actor, list))
}

/**
 * One view. Users who administer user types can access the views of every type.
 * @throws Failure 404 if it does not exist or the caller cannot see it, 403 if the caller may not read its list.
 */
export async function readView(
  db: Database,
  actor: Member,
  sources: readonly ListSource[],
  id: string,
): Promise<View> {
  const isReached = actor.may(administersUserTypes)
    ? sql<boolean>`(${isSeen(actor)} or v.scope = 'userType')`
    : isSeen(actor)
  const row = await selectViews(db, actor)
    .where('v.customerId', '=', actor.customerId)
    .where('v.id', '=', id)
    .where(isReached)
    .executeTakeFirst()
  if (row === undefined) throw notFound('View')
  return toView(row, actor, (await openSource(db, actor, sources, row.list)).list)
}

function toView(row: Row, actor: Member, list: ListSource['list']): View {
  const { ownerUserId, state, ...view } = row
  const isMine = ownerUserId === actor.effectiveUserId
  return {
    ...view,
    isMine,
    lock: isMine || actor.may(administersUserTypes) ? null : lockOf(row),
    state: readState(list, actor, state),
  }
}

const lockOf = ({ ownerName }: Row): string =>
  `Only ${ownerName} and users who administer user types can change this view.`

/**
 * The state of a view for this user. Columns and sort terms of fields that no longer exist or are hidden from the user are
 * removed. The rule is unchanged: the screen shows why it is not valid.
 */
function readState(list: ListSource['list'], actor: Member, stored: unknown): ViewState {
  const { columns, widths, sort, ...state } = ViewState.safeParse(stored).data ?? {}
  const fields = new Map(fieldsOf(list, actor.may))
  const isColumn = (id: string): boolean => fields.has(id) && fields.get(id)?.isColumn !== false
  const shown = columns?.filter(isColumn)
  const sorted = sort?.split(',').filter((term) => fields.get(term.replace(/^-/, ''))?.isSortable)
  const isSorted =
    sorted !== undefined && sorted.length > 0 && Array.isArray(readSort(list, sorted.join(',')))
  return {
    ...state,
    ...(shown !== undefined && shown.length > 0 && { columns: shown }),
    ...(widths && { widths: Object.fromEntries(Object.entries(widths).filter(([id]) => isColumn(id))) }),
    ...(isSorted && { sort: sorted.join(',') }),
  }
}
