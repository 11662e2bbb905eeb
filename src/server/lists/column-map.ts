import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { fieldIds, type List } from '#contract/lists/list.ts'
import type { Field, RecordOf } from '#contract/record.ts'
import type { DB } from '#server/database/schema.ts'
import { instant } from './json-text.ts'
import type { FieldSql } from './list-source.ts'

/**
 * A field that isn't returned like its column: `id` is a bigint as text, `instant` a timestamp in ISO 8601, `json` a JSON
 * column, and SQL is a value that isn't a column of the table.
 */
export type Exception = 'id' | 'instant' | 'json' | RawBuilder<unknown>
/** The fields of a record that aren't plain columns of its table; those without a column need SQL. */
export type Exceptions<Row, Columns> = { [K in keyof Row]?: Exception } & {
  [K in Exclude<keyof Row, keyof Columns>]: RawBuilder<unknown>
}
/** The fields of a list that compare, show or sort by something other than their column. */
export type ListExceptions<Name extends PropertyKey, Columns> = { [K in Name]?: Partial<FieldSql> } & {
  [K in Exclude<Name, keyof Columns>]: FieldSql
}
/** The names of the exceptions that are JSON columns. */
export type JsonNames<E> = { [K in keyof E]: E[K] extends 'json' ? K : never }[keyof E]

export type ColumnMap<Columns, Json> = Readonly<{
  /** The select list of the record, with the names of the contract. */
  select: RawBuilder<unknown>
  /** The columns that callers write, for an `insert`. */
  written: RawBuilder<unknown>
  /** Input as column values: JSON columns need JSON text. */
  write: <Input extends object>(input: Input) => { [K in keyof Input]: K extends Json ? string : Input[K] }
  /** The fields of the record's list. Name those that compare, show or sort by something other than their column. */
  listFields: <Name extends string>(
    list: List<Name>,
    exceptions: ListExceptions<Name, Columns>,
  ) => Record<Name, FieldSql>
}>

/**
 * Maps a record's fields to the columns of its table: a field is the column of the same name in snake case, unless it is
 * one of the exceptions. Columns are listed by name, so that a column added by a newer version doesn't break the statements
 * of this one. `alias`: the name of the table in the statements, if it has another one.
 */
export function columnMap<
  F extends Readonly<Record<string, Field>>,
  R extends z.ZodRawShape,
  T extends keyof DB,
  const E extends Exceptions<z.output<RecordOf<F, R>['schema']>, DB[T]>,
>(record: RecordOf<F, R>, table: T, exceptions: E, alias?: string): ColumnMap<DB[T], JsonNames<E>>
export function columnMap(
  record: RecordOf,
  table: string,
  exceptions: Readonly<Record<string, Exception>>,
  alias?: string,
) {
  return mapColumns(record, table, exceptions, alias)
}

/** The same without the types of one table, for code that works on any. */
export function mapColumns(
  { fields, schema }: RecordOf,
  table: string,
  exceptions: Readonly<Record<string, Exception>>,
  alias = table,
) {
  const column = (name: string) => sql.ref(`${alias}.${snakeCase(name)}`)
  const shown = (name: string): RawBuilder<unknown> => {
    const exception = exceptions[name]
    if (exception === undefined || exception === 'json') return column(name)
    if (exception === 'id') return sql`${column(name)}::text`
    return exception === 'instant' ? instant(column(name)) : exception
  }
  return {
    // A raw alias, because the names of references are converted to snake case.
    select: sql.join(Object.keys(schema.shape).map((name) => sql`${shown(name)} as ${sql.raw(`"${name}"`)}`)),
    written: sql.join(Object.keys(fields).map((name) => sql.ref(snakeCase(name)))),
    write: (input: object) =>
      Object.fromEntries(
        Object.entries(input).map(([name, value]) => [
          name,
          exceptions[name] === 'json' && value !== undefined ? JSON.stringify(value) : value,
        ]),
      ),
    listFields: (list: List, more: Readonly<Record<string, Partial<FieldSql>>>) =>
      Object.fromEntries(fieldIds(list).map((name) => [name, { value: column(name), ...more[name] }])),
  }
}

/** The name in SQL of a name in code. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
