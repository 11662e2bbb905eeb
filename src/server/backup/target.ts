import type pg from 'pg'

/**
 * Describes the contents of a database. Null if it is empty. `isOurs` means it is a Forecourt database, which may be wiped
 * on request.
 */
export async function describeContents(
  owner: pg.Client,
): Promise<{ description: string; isOurs: boolean } | null> {
  const { rows } = await owner.query<{ name: string }>(`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`)
  const names = rows.map(({ name }) => name)
  if (names.length === 0) return null
  const isOurs = names.includes('public.schema_migrations') && names.includes('iam.installation')
  if (!isOurs)
    return { description: `tables of another application (${names.slice(0, 3).join(', ')})`, isOurs }
  const { rows: counts } = await owner.query<{ customers: string; users: string; latest: string }>(`
    select (select count(*) from public.customers) as customers, (select count(*) from public.users) as users,
      (select max(name) from public.schema_migrations) as latest`)
  const [count] = counts
  const latest = count?.latest.replace('.sql', '')
  return {
    description: `an installation with ${count?.customers} customers and ${count?.users} users, at migration ${latest}`,
    isOurs,
  }
}

/** Drops everything of the product, in the open transaction of `owner`. Roles stay. */
export async function wipe(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(`
    select quote_ident(nspname) as name from pg_namespace
    where nspname <> 'information_schema' and nspname !~ '^pg_'
      and (pg_get_userbyid(nspowner) in (current_user, 'pg_database_owner') or pg_get_userbyid(nspowner) ~ '^forecourt_')`)
  for (const { name } of rows) await owner.query(`drop schema ${name} cascade`)
  // As in every new database.
  await owner.query('create schema public authorization pg_database_owner')
  await owner.query('grant usage on schema public to public')
}

/** @throws Error while the product or a backup is connected to this database. */
export async function refuseWhileInUse(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ count: string }>(`
    select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'forecourt %'`)
  if (Number(rows[0]?.count) === 0) return
  throw new Error(
    `Forecourt is using this database (${rows[0]?.count} connections). Stop all copies of it first.`,
  )
}
