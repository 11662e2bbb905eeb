import { sql } from 'kysely'
import { fieldsOf } from '#contract/lists/list.ts'
import { ViewState, type View } from '#contract/lists/views.ts'
import { can, describe, Func, Opr } from '#contract/permissions.ts'
import { readSort } from '#contract/queried-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, notFound } from '#server/http/failure.ts'
import { type ListSource, widened } from './list-source.ts'

export const keepsTypes = can(Func.userTypes, Opr.administer)

/**
 * The list of a key.
 * @throws Failure 404 for a list that is none, 403 for one that the caller may not read.
 */
export function sourceOf(sources: readonly ListSource[], actor: Member, key: string): ListSource {
  const source = sources.find(({ list }) => list.key === key)
  if (source === undefined) throw notFound('List')
  const { allow } = source.list
  if (allow !== null && !actor.may(allow))
    throw forbidden(`You may not do this. It needs ${describe(allow)}.`)
  return source
}

/** The same with the fields that the customer added to it. @throws Failure as `sourceOf`. */
export async function openSource(
  db: Database,
  actor: Member,
  sources: readonly ListSource[],
  key: string,
): Promise<ListSource> {
  return widened(db, actor, sourceOf(sources, actor, key))
}

/** The views somebody sees: their own, those of the organization they act in, and those of their user type. */
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

/** Own views first, then those of the organization, then those of the user type; by name. */
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
 * One view. Whoever administers user types reaches those of every type.
 * @throws Failure 404 when it is not there or none the caller sees, 403 when its list is none of theirs.
 */
export async function readView(
  db: Database,
  actor: Member,
  sources: readonly ListSource[],
  id: string,
): Promise<View> {
  const isReached = actor.may(keepsTypes)
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
    lock: isMine || actor.may(keepsTypes) ? null : lockOf(row),
    state: readState(list, actor, state),
  }
}

const lockOf = ({ ownerName }: Row): string =>
  `Only ${ownerName}, and whoever administers user types, may change this view.`

/**
 * What of a view's state is there for its reader: columns and sorts of fields that are gone, or that they may not see,
 * are left out. The rule stays as it was written: the screen says why it cannot be read.
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
