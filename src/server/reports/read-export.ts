import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { fieldsOf, type ListField } from '#contract/lists/list.ts'
import { type Permission } from '#contract/permissions.ts'
import { readSort } from '#contract/queried-list.ts'
import type { ListExport } from '#contract/reports/reports.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, notFound, refused } from '#server/http/failure.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import { refuseWhileImpersonating } from '#server/identity/index.ts'
import { type ListSource, widened } from '#server/lists/list-source.ts'
import { orderOf } from '#server/lists/order-of.ts'
import { matching, sortTerms } from '#server/lists/read-list.ts'

export type Column = Readonly<{ id: string; field: ListField; value: RawBuilder<unknown> }>

/** An export resolved with the caller's permissions. */
export type ReadExport = {
  source: ListSource
  columns: readonly Column[]
  isMatch: RawBuilder<SqlBool>
  order: RawBuilder<unknown>
}

const FIELDS = 'Some fields are invalid.'

/**
 * Resolves an export request.
 * @throws Failure 404 for an unknown list, 403 without permission to list or export, 400 for a column, sort or rule that
 * isn't available to the caller.
 */
export async function readExport(
  db: Database,
  actor: Member,
  sources: readonly ListSource[],
  input: ListExport,
): Promise<ReadExport> {
  const source = await widened(db, actor, readyToExport(sources, actor, input))

  const fields = new Map(fieldsOf(source.list, actor.may))
  const columns = [...new Set(input.columns)].map((id): Column => {
    const field = fields.get(id)
    const found = source.fields[id]
    if (field === undefined || field.isColumn === false || found === undefined) {
      throw refused(FIELDS, { columns: `Unknown column: ${id}.` })
    }
    return { id, field, value: found.shown ?? found.value }
  })
  const sort = input.sort === undefined || input.sort === '' ? undefined : readSort(source.list, input.sort)
  if (typeof sort === 'string') throw refused(FIELDS, { sort })
  const { ids, except } = input
  return {
    source,
    columns,
    order: orderOf(source, sortTerms(source, actor, sort)),
    isMatch: sql.join<SqlBool>(
      [
        matching(source, actor, input),
        ...(ids === undefined ? [] : [sql`${source.id} = any(${ids}::bigint[])`]),
        ...(except === undefined ? [] : [sql`${source.id} <> all(${except}::bigint[])`]),
      ],
      sql` and `,
    ),
  }
}

/**
 * Finds the list of an export and checks permissions, before any data is read.
 * @throws Failure 404 for an unknown list, 403 without permission to list or export.
 */
export function readyToExport(sources: readonly ListSource[], actor: Member, input: ListExport): ListSource {
  const source = findSource(sources, input.list)
  if (source.list.isTakenByOneself) refuseWhileImpersonating(actor)
  for (const permission of permissionsFor(source)) requirePermission(actor, permission)
  return source
}

/** @throws Failure 404 for an unknown list, 403 for one that can't be exported. */
function findSource(sources: readonly ListSource[], key: string): ListSource {
  const source = sources.find(({ list }) => list.key === key)
  if (source === undefined) throw notFound('List')
  if (source.list.exports === null) throw forbidden(`${source.list.title} can't be exported.`)
  return source
}

function permissionsFor({ list }: ListSource): Permission[] {
  return [list.allow, list.exports].filter((permission) => permission !== null)
}

/** The permissions an export requires while it runs: to list, to export, and for each column. */
export function needsOf(sources: readonly ListSource[], input: ListExport): Permission[] {
  const source = findSource(sources, input.list)
  const columns = input.columns.flatMap((id) => source.list.fields[id]?.needs ?? [])
  return [...permissionsFor(source), ...columns]
}
