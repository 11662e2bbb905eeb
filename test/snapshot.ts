import type pg from 'pg'

/** How many rows every tenant table holds and what they say, the audit log included: equal when nothing was written. */
export async function snapshot(owner: pg.Client): Promise<Record<string, string>> {
  const tables = await listTables(owner)
  const parts = tables.map(
    (name) =>
      `(select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from ${name} t) as ${name}`,
  )
  const { rows } = await owner.query<Record<string, string>>(`select ${parts.join(', ')}`)
  return rows[0] ?? {}
}

/** Every table of schema public, by name. */
export async function listTables(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
  )
  return rows.map(({ relname }) => relname)
}
