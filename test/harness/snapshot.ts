import type pg from 'pg'

const statements = new WeakMap<pg.Client, Promise<string>>()

/**
 * A fingerprint of every tenant table, including the audit log, from row counts and versions. Two are equal if nothing was
 * written in between. It uses the transaction ID of each row, because reading the rows would dominate the time of the large
 * test matrices. The statement is prepared once per connection, because planning takes as long as running it.
 */
export async function snapshot(owner: pg.Client): Promise<Record<string, string>> {
  const text = statements.get(owner) ?? statementFor(owner)
  statements.set(owner, text)
  const { rows } = await owner.query<Record<string, string>>({ name: 'snapshot', text: await text })
  return rows[0] ?? {}
}

async function statementFor(owner: pg.Client): Promise<string> {
  const parts = (await listTables(owner)).map(
    (name) =>
      `(select count(*) || ' ' || coalesce(sum(t.xmin::text::bigint), 0) || ' ' || coalesce(max(t.ctid)::text, '') from ${name} t) as ${name}`,
  )
  return `select ${parts.join(', ')}`
}

/** The tables in schema public, sorted by name. */
export async function listTables(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
  )
  return rows.map(({ relname }) => relname)
}
