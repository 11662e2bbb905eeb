import type pg from 'pg'

/**
 * What would let a request around row level security, one sentence each; empty when nothing does. The product does
 * not start while there is one.
 */
export async function findTenancyHoles(owner: pg.Client): Promise<string[]> {
  const roles = await owner.query<{ name: string; via: string; why: string }>(`
    with recursive held(role, oid) as (
      select rolname, oid from pg_roles where rolname in ('forecourt_app', 'forecourt_iam', 'forecourt_jobs')
      union
      select held.role, m.roleid from held join pg_auth_members m on m.member = held.oid
    )
    select held.role as name, r.rolname as via,
      case when r.rolsuper then 'is a superuser' else 'may bypass row level security' end as why
    from held join pg_roles r on r.oid = held.oid
    where r.rolsuper or r.rolbypassrls`)
  const owned = await owner.query<{ name: string; thing: string }>(`
    select r.rolname as name, n.nspname || '.' || c.relname as thing
    from pg_class c join pg_roles r on r.oid = c.relowner join pg_namespace n on n.oid = c.relnamespace
    where pg_has_role('forecourt_app', r.oid, 'USAGE') and c.relkind in ('r', 'p', 'v', 'm')
      and n.nspname in ('public', 'iam')`)
  const open = await owner.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and has_table_privilege('forecourt_app', c.oid, 'SELECT')
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id' and not a.attisdropped)
      and not (c.relrowsecurity and exists (select from pg_policy p where p.polrelid = c.oid))`)
  return [
    ...roles.rows.map(({ name, via, why }) =>
      name === via ? `The role ${name} ${why}.` : `The role ${name} is a member of ${via}, which ${why}.`,
    ),
    ...owned.rows.map(({ thing }) => `The role forecourt_app owns ${thing}.`),
    ...open.rows.map(({ name }) => `The table ${name} has no row level security.`),
  ]
}
