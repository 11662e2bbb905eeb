import pg from 'pg'

/** What the last snapshot through a connection found, by table. */
const known = new WeakMap<pg.Client, Promise<Map<string, string>>>()

/**
 * A fingerprint of every table of schema public, from row counts and versions, including the audit log but for refused calls,
 * which are counted by the minute. Two are equal if nothing was written in between. The first call reads all tables and adds
 * triggers that note which tables are written, so that later ones only read those. It uses the transaction ID of each row,
 * because reading whole rows would dominate the time of the large test matrices.
 */
export async function snapshot(owner: pg.Client): Promise<Record<string, string>> {
  const before = known.get(owner)
  const now = before === undefined ? readAll(owner) : readWritten(owner, await before)
  known.set(owner, now)
  return Object.fromEntries(await now)
}

async function readAll(owner: pg.Client): Promise<Map<string, string>> {
  const names = await listTables(owner)
  await noteWrites(owner, names)
  return new Map(Object.entries(await fingerprints(owner, names)))
}

async function readWritten(owner: pg.Client, before: Map<string, string>): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ name: string }>({
    name: 'written tables',
    text: 'with written as (delete from test_writes.tables returning name) select distinct name from written order by name',
  })
  if (rows.length === 0) return before
  const names = rows.map(({ name }) => name)
  return new Map([...before, ...Object.entries(await fingerprints(owner, names))])
}

async function fingerprints(owner: pg.Client, names: string[]): Promise<Record<string, string>> {
  const parts = names.map(
    (name) =>
      `(select count(*) || ' ' || coalesce(sum(t.xmin::text::bigint), 0) || ' ' || coalesce(max(t.ctid)::text, '')
        from ${name} t ${name === 'audit_log' ? "where t.table_name not in ('refusals', 'strangers')" : ''}) as ${name}`,
  )
  const { rows } = await owner.query<Record<string, string>>(`select ${parts.join(', ')}`)
  return rows[0] ?? {}
}

/** A statement that is rolled back leaves no note, and one that changes no row only makes its table be read again. */
async function noteWrites(owner: pg.Client, names: string[]): Promise<void> {
  await owner.query(`create schema test_writes;
    create table test_writes.tables (name text not null);
    create function test_writes.note() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      insert into test_writes.tables values (tg_table_name);
      return null;
    end
    $$`)
  const triggers = names.map(
    (name) =>
      `create trigger zz_test_writes after insert or update or delete or truncate on public.${pg.escapeIdentifier(name)}
        for each statement execute function test_writes.note()`,
  )
  await owner.query(triggers.join('; '))
}

/** The tables in schema public, sorted by name. */
export async function listTables(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
  )
  return rows.map(({ relname }) => relname)
}
