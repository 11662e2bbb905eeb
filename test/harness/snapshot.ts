import type pg from 'pg'

/**
 * How many rows every tenant table holds and which versions of them, the audit log included: equal when nothing was written.
 * Each write of a row gives it another place or transaction; reading rows out would take most of the time of the matrices.
 */
export async function snapshot(owner: pg.Client): Promise<Record<string, string>> {
  const tables = await listTables(owner)
  const parts = tables.map(
    (name) =>
      `(select count(*) || ' ' || coalesce(sum(hashtextextended(t.tableoid || ' ' || t.ctid || ' ' || t.xmin, 0)), 0) from ${name} t) as ${name}`,
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
