import { capitalize } from '#contract/capitalize.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { isEqual } from '#contract/questions/changes.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { snakeCase } from '#server/lists/column-map.ts'
import { instant } from '#server/lists/json-text.ts'
import { explain, type Refusals } from '#server/lists/record-table.ts'
import { requireUnused, type Use } from '#server/lists/uses.ts'

type Document = Readonly<{
  id: string
  version: number
  name: string
  /** The published version; null before the first one. */
  publishedNumber: number | null
  /** Whether the draft may be edited; absent if it always may. */
  hasDraft?: boolean
  /** Whether the draft differs from the published version; absent if every publication is a new version. */
  hasChanges?: boolean
}>
type Values = Readonly<Record<string, unknown>>
type ById = Readonly<{ id: string; version?: number | undefined }>
type Call<Input> = Readonly<{ db: Database; actor: Member; input: Input }>

type Options<D, Content, Fields, Changes, Listed, Whole> = Refusals &
  Readonly<{
    /** `form`: "This form was changed by someone else". */
    noun: string
    table: keyof DB
    /** What a version consists of, in a sentence: `questions`. */
    subject: string
    /** The document, the joins of its list, and the columns of its record. */
    schema: z.ZodType<D>
    from: RawBuilder<unknown>
    columns: Readonly<{ select: RawBuilder<unknown>; write: (input: object) => object }>
    /** What a version asks or shows: what is edited as a draft. */
    content: z.ZodType<Content>
    versions: Readonly<{
      table: keyof DB
      /** Its column that names the document. */
      of: string
      /** Its columns, by the fields of the document that a version keeps. */
      kept: Readonly<{ [K in keyof Content]: string } & Record<string, string>>
      /** A version `v` in the list of versions, and on its own: its schema, and what is selected besides number, time and user. */
      listed: readonly [schema: z.ZodType<Listed>, select: RawBuilder<unknown>]
      whole: readonly [schema: z.ZodType<Whole>, select: RawBuilder<unknown>]
    }>
    /** The column with the time since when it can't be used any more. Publishing empties it. */
    withdrawn: string
    /** @throws Failure 403 if the user may not change it */
    requireOwn: (db: Database, actor: Member, document: D) => Promise<void> | void
    /** @throws Failure 403 or 400 if the user may not give it to the owner that the changes name */
    requireOwner: (db: Database, actor: Member, changes: Changes) => Promise<void> | void
    /** Columns that follow from the fields of the document as it will be. @throws Failure 400 if the fields contradict each other */
    derive: (fields: Fields) => object
    /** Why it can't be published, by field. `published`: the content of the version before. */
    check: (document: D, published: Content | null) => Values & Readonly<Record<string, string>>
    /** Why it can't be deleted while something refers to it. */
    inUse: string
    /** What uses it by a foreign key that wouldn't say so; it can't be deleted until nothing does. */
    uses?: readonly Use[]
  }>

/**
 * A document with a draft in its table and published versions in another one, which never change. Handles the calls of
 * `versionedDocument`; a domain adds its content, who may change it, what is checked, and its own calls (`setting`).
 */
export function documentTable<
  D extends Document & Fields,
  Content extends object,
  Fields,
  Changes extends ById,
  Listed,
  Whole,
>(options: Options<D, Content, Fields, Changes, Listed, Whole>) {
  const { noun, columns, derive } = options
  const readers = readersOf(options)
  const { read, readVersion, readContent } = readers
  const { set, add, publish, changing } = writersOf(options, readers)
  const isChanged = (current: D, changes: Values) =>
    Object.entries(current).some(
      ([field, value]) =>
        field in options.versions.kept && field in changes && !isEqual(changes[field], value),
    )
  return {
    read,
    readVersion,
    add,
    publish,
    /** A call that sets columns without a field of their own; null changes nothing. */
    setting: (valuesFor: (current: D) => object | null) =>
      changing<ById>(async (db, current) => {
        const values = valuesFor(current)
        if (values !== null) await set(db, current.id, values)
      }),
    handlers: {
      get: ({ db, input }: Call<ById>) => read(db, input.id),

      update: changing<Changes>(async (db, current, input) => {
        const { id, version: _, ...changes } = input
        const derived = derive({ ...current, ...changes })
        if (current.hasDraft === false && isChanged(current, changes)) {
          throw conflict(
            `A published version never changes. Open a new draft to change its ${options.subject}.`,
          )
        }
        await set(db, id, { ...columns.write(changes), ...derived })
      }, options.requireOwner),

      publish: changing<ById>((db, current) => publish(db, current)),

      openDraft: changing<ById>(async (db, current) => {
        if (current.hasDraft === false) await set(db, current.id, { hasDraft: true })
      }),

      discardDraft: changing<ById>(async (db, current) => {
        const { id, publishedNumber, hasDraft } = current
        if (publishedNumber === null) {
          throw conflict(`This ${noun} was never published. Delete it instead.`)
        }
        const content = await readContent(db, id, publishedNumber)
        await set(db, id, {
          ...(hasDraft !== undefined && { hasDraft: false }),
          ...columns.write(content),
          ...derive({ ...current, ...content }),
        })
      }),

      versions: async ({ db, input: { id } }: Call<ById>): Promise<Listed[]> => {
        await read(db, id)
        return readers.listVersions(db, id)
      },

      version: async ({ db, input: { id, number } }: Call<ById & { number: number }>): Promise<Whole> => {
        await read(db, id)
        return readVersion(db, id, number)
      },

      remove: async ({ db, actor, input: { id, version } }: Call<ById>): Promise<null> => {
        const current = await readers.lock(db, id)
        await options.requireOwn(db, actor, current)
        if (version !== undefined && version !== current.version) throw stale(`This ${noun}`, current)
        await requireUnused(db, { noun, table: snakeCase(options.table), uses: options.uses ?? [] }, id)
        const removed = sql`delete from ${sql.table(options.table)} where id = ${id}`.execute(db)
        await removed.catch((error: unknown) => {
          throw isViolation(error, 'foreign key') ? conflict(options.inUse) : error
        })
        return null
      },
    },
  }
}

type AnyOptions<D, Content, Listed, Whole> = Pick<
  Options<D, Content, never, never, Listed, Whole>,
  'noun' | 'table' | 'schema' | 'from' | 'columns' | 'content' | 'versions'
>

function readersOf<D, Content, Listed, Whole>(options: AnyOptions<D, Content, Listed, Whole>) {
  const { noun, table, schema, from, columns, content, versions } = options
  const { kept, listed, whole } = versions
  /** @throws Failure 404 */
  async function read(db: Database, id: string): Promise<D> {
    const { rows } =
      await sql`select ${columns.select} from ${from} where ${sql.ref(`${table}.id`)} = ${id}`.execute(db)
    if (rows[0] === undefined) throw notFound(capitalize(noun))
    return schema.parse(rows[0])
  }
  const select = (what: RawBuilder<unknown>, id: string, numbered: RawBuilder<unknown>) => sql`
    select ${what} from ${sql.table(versions.table)} v where ${sql.ref(`v.${versions.of}`)} = ${id} ${numbered}`
  /** @throws Failure 404 */
  async function one<T>(
    db: Database,
    [parsed, what]: readonly [z.ZodType<T>, RawBuilder<unknown>],
    id: string,
    number: number,
  ) {
    const { rows } = await select(what, id, sql`and v.number = ${number}`).execute(db)
    if (rows[0] === undefined) throw notFound('Version')
    return parsed.parse(rows[0])
  }
  const keptColumns = sql.join(
    Object.entries<string>(kept).map(
      ([field, column]) => sql`${sql.ref(`v.${column}`)} as ${sql.raw(`"${field}"`)}`,
    ),
  )
  return {
    read,
    /** @throws Failure 404 */
    lock: async (db: Database, id: string): Promise<D> => {
      await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(db)
      return read(db, id)
    },
    /** The content of a version, by the fields of the document. */
    readContent: (db: Database, id: string, number: number) => one(db, [content, keptColumns], id, number),
    readVersion: (db: Database, id: string, number: number) =>
      one(db, [whole[0], sql`${published}, ${whole[1]}`], id, number),
    listVersions: async (db: Database, id: string): Promise<Listed[]> => {
      const { rows } = await select(sql`${published}, ${listed[1]}`, id, sql`order by v.number desc`).execute(
        db,
      )
      return listed[0].array().parse(rows)
    },
  }
}

const published = sql`v.number, v.published_by as "publishedBy", ${instant(sql`v.published_at`)} as "publishedAt"`

function writersOf<
  D extends Document & Fields,
  Content extends object,
  Fields,
  Changes extends ById,
  Listed,
  Whole,
>(
  options: Options<D, Content, Fields, Changes, Listed, Whole>,
  { read, lock, readContent }: ReturnType<typeof readersOf<D, Content, Listed, Whole>>,
) {
  const { noun, columns, versions, derive, requireOwn } = options
  const table = sql.table(options.table)

  const set = (db: Database, id: string, values: object) => {
    // At least one column, even if no field was sent.
    const assigned = given({ version: sql.ref('version'), ...values })
    const list = sql.join(assigned.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))
    return explain(options, sql`update ${table} set ${list} where id = ${id}`.execute(db))
  }

  /** Changes a locked document of the user, as the user saw it, and returns it. */
  const changing =
    <Input extends ById>(
      work: (db: Database, current: D, input: Input) => Promise<unknown>,
      first?: (db: Database, actor: Member, input: Input) => Promise<void> | void,
    ) =>
    async ({ db, actor, input }: Call<Input>): Promise<D> => {
      const current = await lock(db, input.id)
      await requireOwn(db, actor, current)
      await first?.(db, actor, input)
      if (input.version !== undefined && input.version !== current.version)
        throw stale(`This ${noun}`, current)
      await work(db, current, input)
      return read(db, input.id)
    }

  /** Adds one in the transaction's tenant. @throws Failure 409 or 400 with the fields that are wrong */
  async function add(db: Database, input: Fields & object): Promise<D> {
    const values = given({ ...columns.write(input), ...derive(input) })
    const { rows } = await explain(
      options,
      sql<{ id: string }>`insert into ${table} (${sql.join(values.map(([name]) => sql.ref(name)))})
        values (${sql.join(values.map(([, value]) => value))}) returning id::text`.execute(db),
    )
    return read(db, rows[0]?.id ?? '')
  }

  async function addVersion(db: Database, document: D, number: number): Promise<void> {
    const values: Values = { ...columns.write(document) }
    const fields = Object.entries<string>(versions.kept)
    await sql`insert into ${sql.table(versions.table)}
      (${sql.ref(versions.of)}, number, ${sql.join(fields.map(([, column]) => sql.ref(column)))})
      values (${document.id}, ${number}, ${sql.join(fields.map(([field]) => values[field]))})`.execute(db)
  }

  /** Publishes the draft as the next version. @throws Failure 400 with its errors, 409 if no draft is open */
  async function publish(db: Database, document: D): Promise<D> {
    const { id, publishedNumber, hasDraft, hasChanges = true } = document
    if (hasDraft === false) throw conflict('There is no draft to publish. Open a new draft first.')
    const before = publishedNumber === null ? null : await readContent(db, id, publishedNumber)
    const errors = options.check(document, before)
    if (Object.keys(errors).length > 0) {
      throw refused(`This ${noun} has errors. Correct them and publish again.`, errors)
    }
    const number = (publishedNumber ?? 0) + 1
    if (hasChanges) await addVersion(db, document, number)
    await set(db, id, {
      [options.withdrawn]: null,
      ...(hasChanges && { publishedNumber: number }),
      ...(hasDraft !== undefined && { hasDraft: false }),
    })
    return read(db, id)
  }
  return { set, add, publish, changing }
}

const given = (values: object): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => value !== undefined)

/** The first of the names that isn't taken, ignoring case: for a copy. `numbered` makes them, from 1 on. */
export function firstFree(taken: readonly string[], numbered: (at: number) => string): string {
  for (let at = 1; ; at += 1) {
    const name = numbered(at)
    if (!taken.includes(name.toLowerCase())) return name
  }
}
