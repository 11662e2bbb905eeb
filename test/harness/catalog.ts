import type pg from 'pg'

/**
 * Everything the catalog says about a database's own schemas, one line per fact, sorted: tables with columns, defaults and
 * options, constraints, indexes, triggers, policies, views, functions with their text, sequences, extensions, owners and
 * permissions. Comments inside function bodies count, object IDs and `schema_migrations` don't.
 */
export async function readCatalog(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ fact: string }>(FACTS)
  return rows.map(({ fact }) => fact).toSorted()
}

const OWN = `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`
const NOT_EXTENSION = (catalog: string, oid: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`
/** Permissions in a fixed order, with role names. */
const acl = (column: string) =>
  `coalesce((select string_agg(item::text, ' ' order by item::text) from unnest(${column}) item), '-')`
const fact = (...parts: string[]) => `concat_ws(' | ', ${parts.join(', ')}) as fact`

const FACTS = [
  `select ${fact(`'schema'`, 'n.nspname', 'n.nspowner::regrole', acl('n.nspacl'))} from pg_namespace n where ${OWN}`,
  `select ${fact(`'extension'`, 'extname')} from pg_extension`,
  `select ${fact(
    `'relation'`,
    'c.oid::regclass',
    'c.relkind',
    'c.relowner::regrole',
    'c.relrowsecurity',
    'c.relforcerowsecurity',
    'c.reloptions',
    acl('c.relacl'),
    `case when c.relkind = 'v' then pg_get_viewdef(c.oid) end`,
  )} from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OWN} and c.relkind in ('r', 'v', 'm', 'S', 'f', 'p') and c.relname <> 'schema_migrations'`,
  `select ${fact(
    `'column'`,
    'c.oid::regclass',
    'row_number() over (partition by c.oid order by a.attnum)',
    'a.attname',
    'format_type(a.atttypid, a.atttypmod)',
    'a.attnotnull',
    'a.attidentity',
    'a.attgenerated',
    'a.attstorage',
    'a.attcollation::regcollation',
    acl('a.attacl'),
    'pg_get_expr(d.adbin, d.adrelid)',
  )} from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where ${OWN} and c.relkind in ('r', 'v', 'p') and a.attnum > 0 and not a.attisdropped and c.relname <> 'schema_migrations'`,
  `select ${fact(`'constraint'`, 'x.conrelid::regclass', 'x.conname', 'x.convalidated', 'pg_get_constraintdef(x.oid)')}
  from pg_constraint x join pg_namespace n on n.oid = x.connamespace where ${OWN} and x.conrelid <> 'public.schema_migrations'::regclass`,
  `select ${fact(`'index'`, 'pg_get_indexdef(i.indexrelid)', 'i.indisunique', 'i.indisprimary', 'i.indisvalid')}
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where ${OWN} and i.indrelid <> 'public.schema_migrations'::regclass`,
  `select ${fact(`'trigger'`, 't.tgenabled', 'pg_get_triggerdef(t.oid)')}
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where ${OWN} and not t.tgisinternal`,
  `select ${fact(
    `'policy'`,
    'p.polrelid::regclass',
    'p.polname',
    'p.polpermissive',
    'p.polcmd',
    `(select string_agg(r::regrole::text, ' ' order by r::regrole::text) from unnest(p.polroles) r)`,
    'pg_get_expr(p.polqual, p.polrelid)',
    'pg_get_expr(p.polwithcheck, p.polrelid)',
  )} from pg_policy p`,
  `select ${fact(`'function'`, 'p.proowner::regrole', acl('p.proacl'), 'pg_get_functiondef(p.oid)')}
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${OWN} and p.prokind in ('f', 'p') and ${NOT_EXTENSION('pg_proc', 'p.oid')}`,
  `select ${fact(`'sequence'`, 's.seqrelid::regclass', 's.seqtypid::regtype', 's.seqstart', 's.seqincrement', 's.seqmin', 's.seqmax', 's.seqcycle')}
  from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace where ${OWN}`,
].join('\nunion all\n')
