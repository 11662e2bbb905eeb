import type pg from 'pg'

export type Table = { schema: string; name: string; columns: string[] }
export type Sequence = { schema: string; name: string }

/** The product's schemas: not the system's, and not that of the job queue, which every start recreates. */
const OURS = `n.nspname <> 'information_schema' and n.nspname <> 'queue' and n.nspname !~ '^pg_'`
/** Tables of an extension are recreated with the extension. */
const NOT_OF_EXTENSION = `not exists (select from pg_depend d
  where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/** The product's tables with their non-generated columns. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select n.nspname::text as schema, c.relname::text as name, array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and ${OURS} and ${NOT_OF_EXTENSION}
    order by 1, 2`)
  return rows
}

/** The product's sequences, including those of identity columns. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    select n.nspname::text as schema, c.relname::text as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${OURS} and ${NOT_OF_EXTENSION}
    order by 1, 2`)
  return rows
}

type ForeignKey = { table: string; name: string; definition: string }

/** The product's foreign keys, with their definitions to recreate them. */
export async function listForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select k.conrelid::regclass::text as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace
    where k.contype = 'f' and k.conparentid = 0 and ${OURS}
    order by 1, 2`)
  return rows
}

type Trigger = { table: string; name: string }

/** Enabled triggers, except for the internal ones of foreign keys. */
export async function listTriggers(client: pg.Client): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(`
    select t.tgrelid::regclass::text as table, quote_ident(t.tgname) as name
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and t.tgenabled = 'O' and ${OURS}
    order by 1, 2`)
  return rows
}

/** The qualified and quoted name. */
export const sqlName = (client: pg.Client, { schema, name }: { schema: string; name: string }): string =>
  `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`

/** The column list for COPY. */
export const sqlColumns = (client: pg.Client, { columns }: { columns: readonly string[] }): string =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ')

/** Fixed output formats, regardless of server and login settings, and no time limits. */
export const PLAIN_SETTINGS = `set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
  set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex'; set xmloption = 'content';
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set row_security = off`
