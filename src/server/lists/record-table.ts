import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { capitalize } from '#contract/capitalize.ts'
import type { crud } from '#contract/crud.ts'
import type { Seen, SelectionSeen } from '#contract/deletion.ts'
import type { List } from '#contract/lists/list.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Field, RecordOf } from '#contract/record.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { type Former, type JobKind, type Outcome, rowsKind, type RowsWork } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import {
  type ColumnMap,
  mapColumns,
  type Exception,
  type Exceptions,
  type JsonNames,
  type ListExceptions,
  snakeCase,
} from './column-map.ts'
import { contains } from './contains.ts'
import { bringBack, keepDependents } from './dependents.ts'
import { readPageText } from './json-text.ts'
import type { FieldSql, ListSource } from './list-source.ts'
import type { PageOf } from './read-list.ts'
import { findChanged, readSeen, SeenRows } from './seen-rows.ts'

type Fields = Readonly<Record<string, Field>>
type Calls<F extends Fields, R extends z.ZodRawShape, Name extends string> = ReturnType<
  typeof crud<F, R, Name>
>
type Saved<F extends Fields, R extends z.ZodRawShape> = z.output<RecordOf<F, R>['schema']>
/** The columns of a deleted row, as JSON. */
type Image = Readonly<Record<string, unknown>>

type Options<Columns, Listed> = Readonly<{
  /** The name of its calls in the contract: `suppliers`. */
  name: string
  /** The exceptions of `columnMap`; `id` and `updatedAt` are known. */
  columns: Columns
  /** Joins of the list, and how its fields differ from their columns (`listFields` of `columnMap`). */
  joins?: RawBuilder<unknown>
  fields: Listed
  /** The columns that the search looks at, and whether one of them is of a joined table. */
  searches: readonly RawBuilder<unknown>[]
  searchJoins?: true
  /** By unique constraint: what is said when a value is in use, and at its field. */
  constraints?: Readonly<Record<string, { message: string; fields: Readonly<Record<string, string>> }>>
  /** The message at the field that names a record the caller can't reach. */
  references?: Readonly<Record<string, string>>
  /** Why some of these rows can't be deleted, by ID: "3 vehicles are on this lot." Lock what could be added meanwhile. */
  findKept?: (db: Database, actor: Member, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Why a record can't be deleted that another one refers to, where `findKept` doesn't say it. */
  inUse?: string
  /** When a deletion is undone. */
  restore?: Readonly<{
    /** Columns that rows deleted by an earlier version lack. */
    missing?: Image
    /** Columns besides the fields that a row gets back. */
    kept?: readonly string[]
    /** What a row gives up that someone else has taken since. */
    yields?: (db: Database, before: Image) => Promise<Image>
    /** What must still hold for a row `r`. */
    where?: RawBuilder<SqlBool>
    reason?: (before: Image) => string
  }>
}>

/** A record in its table: everything that its calls need on the server. */
export type RecordTable<F extends Fields, R extends z.ZodRawShape, Name extends string, C, Json> = Readonly<{
  columns: ColumnMap<C, Json>
  source: ListSource<Name>
  handlers: Omit<Handlers<Calls<F, R, Name>>, 'removeMany'>
  /** Deletes many as a job, with undo. */
  removing: (jobs: StartJobs) => Pick<Handlers<Calls<F, R, Name>>, 'removeMany'>
  removeJob: JobKind
  /** @throws Failure 404 */
  read: (db: Database, id: string) => Promise<Saved<F, R>>
  /** Adds one in the transaction's tenant. @throws Failure 409 or 400 with the fields that are wrong. */
  add: (db: Database, input: z.output<RecordOf<F, R>['create']>) => Promise<Saved<F, R>>
  /** @throws Failure 404; 409 with the current record if the version is stale; 409 or 400 with the fields that are wrong. */
  update: (db: Database, input: z.output<RecordOf<F, R>['changes']>) => Promise<Saved<F, R>>
  /** Runs another statement on the table. @throws Failure 409 or 400 in place of a broken constraint. */
  explain: <T>(statement: Promise<T>) => Promise<T>
}>

/**
 * A record in a table of the same columns, handled as `crud` declares: list with paging, filters and search, get, add, update
 * with its version, delete, and delete many with undo. The second signature is for the loops over fields, whose types
 * TypeScript can't compute.
 *
 *     export const supplierTable = recordTable(supplierRecord, suppliers, SUPPLIER_LIST, 'suppliers', {
 *       name: 'suppliers', columns: {}, fields: {}, searches: [sql.ref('suppliers.name')],
 *       constraints: { suppliers_name: { name: 'Another supplier already has this name.' } },
 *     })
 */
export function recordTable<
  F extends Fields,
  R extends z.ZodRawShape,
  Name extends string,
  T extends keyof DB,
  const E extends Omit<Exceptions<Saved<F, R>, DB[T]>, 'id' | 'updatedAt'>,
>(
  record: RecordOf<F, R>,
  calls: Calls<F, R, Name>,
  list: List<Name>,
  table: T,
  options: Options<E, ListExceptions<Name, DB[T]>>,
): RecordTable<F, R, Name, DB[T], JsonNames<E>>
export function recordTable(
  record: RecordOf,
  calls: Readonly<Record<'add' | 'removeMany', Readonly<{ allow: Permission }>>>,
  list: List,
  table: string,
  options: Options<Readonly<Record<string, Exception>>, Loose>,
): unknown {
  const { joins = sql`` } = options
  const columns = mapColumns(record, table, { ...options.columns, id: 'id', updatedAt: 'instant' })
  const at = (column: string) => sql.ref(`${table}.${column}`)
  const here = sql.table(table)
  const from = sql`${here} ${joins}`
  const noun = list.nouns[0]
  const read = async (db: Database, id: string): Promise<Image> => {
    const { rows } =
      await sql<Image>`select ${columns.select} from ${from} where ${at('id')} = ${id}`.execute(db)
    const [row] = rows
    if (row === undefined) throw notFound(capitalize(noun))
    return row
  }
  const source: ListSource = {
    list,
    from,
    table: here,
    within: (actor) => sql`${at('customer_id')} = ${actor.customerId}`,
    id: sql`${at('id')}`,
    title: sql`${at('name')}`,
    fields: columns.listFields(list, options.fields),
    ...(options.searchJoins && { searchJoins: true }),
    search: (text) => contains(options.searches, text),
  }
  const parts: Parts = { table, noun, options, columns, read }
  const removeJob = removalOf(calls, parts)
  const rest = writersOf(parts)
  return {
    columns,
    source,
    removeJob,
    read,
    add: (db: Database, input: Image) => rest.add(db, input),
    update: (db: Database, input: Changes) => rest.update(db, input),
    explain: <T>(statement: Promise<T>) => explain(options, statement),
    handlers: {
      list: ({ db, actor, input }: Context<PageOf<string>>) =>
        readPageText(db, actor, source, input, () => columns.select),
      get: ({ db, input }: Context<{ id: string }>) => read(db, input.id),
      add: ({ db, input }: Context<Image>) => rest.add(db, input),
      update: ({ db, input }: Context<Changes>) => rest.update(db, input),
      remove: ({ db, actor, input }: Context<z.output<typeof Seen>>) => rest.remove(db, actor, input),
    },
    removing: ({ startRows }: StartJobs) => ({
      async removeMany({ db, actor, input }: Context<z.output<typeof SelectionSeen>>) {
        const { selection, version, ...seen } = input
        const [id = ''] = 'ids' in selection ? selection.ids : []
        await requireSeen(db, { id, version }, { table, noun, read })
        return startRows(db, actor, {
          kind: removeJob.name,
          payload: await readSeen(db, version === undefined ? seen : { versions: { [id]: version } }),
          source,
          selection,
          title: (rows) => `Delete ${rows}`,
        })
      },
    }),
  }
}

type Loose = Readonly<Record<string, Partial<FieldSql>>>
type Context<Input> = { db: Database; actor: Member; input: Input }
type Changes = { id: string; version?: number } & Image
type Parts = {
  table: string
  noun: string
  options: Pick<
    Options<unknown, unknown>,
    'name' | 'constraints' | 'references' | 'findKept' | 'inUse' | 'restore'
  >
  columns: { written: RawBuilder<unknown>; write: (input: object) => Image }
  read: (db: Database, id: string) => Promise<Image>
}

/** Adding, changing and deleting one. */
function writersOf({ table, noun, options, columns, read }: Parts) {
  const here = sql.table(table)
  const assignments = (input: object) =>
    Object.entries(columns.write(input)).filter(([, value]) => value !== undefined)
  return {
    async add(db: Database, input: Image): Promise<Image> {
      const given = assignments(input)
      const { rows } = await explain(
        options,
        sql<{ id: string }>`insert into ${here} (${sql.join(given.map(([name]) => sql.ref(name)))})
          values (${sql.join(given.map(([, value]) => value))}) returning id::text`.execute(db),
      )
      return read(db, rows[0]?.id ?? '')
    },

    async update(db: Database, { id, version, ...changes }: Changes): Promise<Image> {
      // At least one column, even if no field was sent.
      const set = [
        sql`version = version`,
        ...assignments(changes).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
      ]
      const isCurrent = version === undefined ? sql`true` : sql`version = ${version}`
      const { rows } = await explain(
        options,
        sql<{ id: string }>`update ${here} set ${sql.join(set)} where id = ${id} and ${isCurrent}
          returning id`.execute(db),
      )
      const current = await read(db, id)
      if (rows.length === 0) throw stale(`This ${noun}`, current)
      return current
    },

    async remove(db: Database, actor: Member, seen: z.output<typeof Seen>): Promise<null> {
      const { id } = seen
      await requireSeen(db, seen, { table, noun, read })
      const reason = (await options.findKept?.(db, actor, [id]))?.get(id)
      if (reason !== undefined) throw conflict(reason)
      const { rows } = await sql`delete from ${here} where id = ${id} returning id`
        .execute(db)
        .catch((error: unknown) => {
          throw isViolation(error, 'foreign key')
            ? conflict(options.inUse ?? `This ${noun} is in use, so it can't be deleted.`)
            : error
        })
      if (rows.length === 0) throw notFound(capitalize(noun))
      return null
    },
  }
}

/** What is said when a constraint rejects a statement. */
export type Refusals = Pick<Options<unknown, unknown>, 'constraints' | 'references'>

/** Constraint violations as form errors. @throws Failure 409 or 400 in place of the database error. */
export async function explain<T>(
  { constraints = {}, references }: Refusals,
  statement: Promise<T>,
): Promise<T> {
  try {
    return await statement
  } catch (error) {
    const inUse = constraints[brokenKey(error) ?? '']
    if (inUse !== undefined) throw conflict(inUse.message, inUse.fields)
    if (
      references !== undefined &&
      (isViolation(error, 'foreign key') || isViolation(error, 'row level security'))
    ) {
      throw refused('Some fields are invalid.', references)
    }
    throw error
  }
}

/** The job that deletes many, with undo. */
function removalOf(
  calls: Readonly<Record<'add' | 'removeMany', Readonly<{ allow: Permission }>>>,
  { table, options, columns }: Parts,
): JobKind {
  const here = sql.table(table)
  const {
    missing = {},
    yields = async (_: Database, before: Image) => before,
    kept: more = [],
    where = sql`true`,
    reason = () => 'Its name or code is in use again.',
  } = options.restore ?? {}
  const restored = sql.join([
    columns.written,
    ...['version', 'created_at', ...more].map((name) => sql.ref(name)),
  ])

  async function restore(
    { db, actor: { customerId } }: RowsWork<unknown>,
    deleted: readonly Former<Record<string, unknown>>[],
  ): Promise<Outcome[]> {
    const rows: { id: string; before: Image }[] = []
    for (const { id, before } of deleted) rows.push({ id, before: await yields(db, before) })
    const of = { table: snakeCase(table), customerId }
    const images = rows.map(({ id, before }) => ({ id, image: JSON.stringify({ ...missing, ...before }) }))
    const { there, lost } = await bringBack(db, of, images, (all) =>
      sql`insert into ${here} (id, ${restored}) overriding system value
        select r.id, ${restored} from jsonb_populate_recordset(null::${here}, ${all}) r
        where ${where} order by r.id on conflict do nothing`.execute(db),
    )
    return rows.map(({ id, before }) => {
      const why = there.has(id) ? lost.get(id) : reason(before)
      return why === undefined ? { id, before: null } : { id, title: String(before['name']), reason: why }
    })
  }

  return rowsKind({
    name: `${options.name}.removeMany`,
    deletes: snakeCase(table),
    needs: calls.removeMany.allow,
    payload: SeenRows,
    // A deleted record must stay in the audit log, even after the undo period.
    leavesEntries: true,
    async change({ db, actor, payload: seen }, ids) {
      const theirs = sql`customer_id = ${actor.customerId}`
      // Locks first: what is being added to one of them waits, and the next statement sees it.
      const { rows: locked } = await sql<{ id: string; name: string; before: Image }>`
        select t.id::text, t.name, to_jsonb(t) - 'customer_id' as before from ${here} t
        where ${theirs} and t.id = any(${[...ids]}::bigint[]) order by t.id for update`.execute(db)
      const found = locked.map(({ id }) => id)
      const kept = new Map([
        ...((await options.findKept?.(db, actor, found)) ?? []),
        ...findChanged(seen, locked),
      ])
      const free = found.filter((id) => !kept.has(id))
      await keepDependents(db, { table: snakeCase(table), customerId: actor.customerId }, free)
      await sql`delete from ${here} where ${theirs} and id = any(${free}::bigint[])`.execute(db)
      return locked.map(({ id, name, before }) => {
        const why = kept.get(id)
        return why === undefined ? { id, before } : { id, title: name, reason: why }
      })
    },
    // Restoring a record adds it.
    undo: {
      needs: calls.add.allow,
      before: z.record(z.string(), z.unknown()),
      rows: restore,
    },
  })
}
