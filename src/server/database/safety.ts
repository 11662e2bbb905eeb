import type pg from 'pg'
import type { Role } from './connect.ts'

/**
 * Ways for a request to bypass row level security, one sentence each. The product does not start unless the list is empty.
 */
export async function findTenancyHoles(owner: pg.Client): Promise<string[]> {
  const roles = await owner.query<{ name: string; via: string; why: string }>(`
    with recursive held(role, oid) as (
      select rolname, oid from pg_roles where rolname in ('forecourt_app', 'forecourt_iam', 'forecourt_jobs', 'forecourt_search')
      union
      select held.role, m.roleid from held join pg_auth_members m on m.member = held.oid
    )
    select held.role as name, r.rolname as via,
      case when r.rolsuper then 'is a superuser' else 'may bypass row level security' end as why
    from held join pg_roles r on r.oid = held.oid
    where r.rolsuper or r.rolbypassrls`)
  const memberships = await owner.query<{ name: string }>(`
    select r.rolname as name from pg_auth_members m join pg_roles r on r.oid = m.roleid
    where m.member = 'forecourt_app'::regrole`)
  // forecourt_search can read every customer's vehicles, for its one function: only the database owner may become it.
  const searchers = await owner.query<{ sentence: string }>(`
    select 'The role forecourt_search may sign in.' as sentence from pg_roles
    where rolname = 'forecourt_search' and rolcanlogin
    union all
    select 'The role ' || r.rolname || ' is a member of forecourt_search.'
    from pg_auth_members m join pg_roles r on r.oid = m.member
    where m.roleid = 'forecourt_search'::regrole and r.rolname <> current_user and not r.rolsuper
      -- The creator of the role keeps the admin option, which does not allow acting as the role.
      and (to_jsonb(m) ->> 'set_option' is distinct from 'false' or to_jsonb(m) ->> 'inherit_option' = 'true')`)
  const owned = await owner.query<{ thing: string }>(`
    select n.nspname || '.' || c.relname as thing
    from pg_class c join pg_roles r on r.oid = c.relowner join pg_namespace n on n.oid = c.relnamespace
    where pg_has_role('forecourt_app', r.oid, 'USAGE') and c.relkind in ('r', 'p', 'v', 'm')
      and n.nspname in ('public', 'iam')`)
  const reachable = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    and has_table_privilege('forecourt_app', c.oid, 'SELECT, INSERT, UPDATE, DELETE')`
  const open = await owner.query<{ name: string }>(`
    select c.relname as name from pg_class c where ${reachable} and not c.relrowsecurity
      -- Views of an extension, such as pg_stat_statements, belong to the server, not to a customer.
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`)
  const wide = await owner.query<{ name: string; policy: string }>(`
    select c.relname as name, p.polname as policy
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where ${reachable} and p.polpermissive
      and p.polroles && array[0, 'forecourt_app'::regrole::oid]
      and coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid), '') not like '%app.customer_id%'`)
  return [
    ...roles.rows.map(({ name, via, why }) =>
      name === via ? `The role ${name} ${why}.` : `The role ${name} is a member of ${via}, which ${why}.`,
    ),
    ...memberships.rows.map(({ name }) => `The role forecourt_app is a member of ${name}.`),
    ...searchers.rows.map(({ sentence }) => sentence),
    ...owned.rows.map(({ thing }) => `The role forecourt_app owns ${thing}.`),
    ...open.rows.map(({ name }) => `The table ${name} has no row level security.`),
    ...wide.rows.map(
      ({ name, policy }) => `The policy ${policy} of the table ${name} does not check the customer.`,
    ),
  ]
}

/**
 * Verifies that a pool's connections act as its role. A connection pooler may have dropped the startup option, and then
 * requests would run with the login's own rights.
 */
export async function assertRole(pool: pg.Pool, role: Role): Promise<void> {
  const { rows } = await pool.query<{ name: string }>('select current_user as name')
  if (rows[0]?.name === role) return
  throw new Error(
    `Forecourt cannot start because its connections act as ${rows[0]?.name}, not as ${role}. Connect without a pooler that drops startup options.`,
  )
}
