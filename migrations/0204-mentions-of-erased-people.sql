-- Erasing a person also removes their address and numbers from every other text of the customer: searches in jobs, downloads and
-- views, notes, comments, and the audit log (docs/decisions/0226-mentions-of-erased-people.md).

-- A text without what `terms` finds. `terms`: "pattern" for an address or number anywhere, "names" for what is erased in searches
-- and names of lists about people, "lists" with the keys of these. `part`: the key of the text within such a list; null elsewhere.
create function erased_text(value text, terms jsonb, mark text, part text default null) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
begin
  value := regexp_replace(value, terms ->> 'pattern', mark, 'gi');
  if terms ->> 'names' is null or part is null then
    return value;
  elsif part = 'filter' then
    return regexp_replace(value, '"[^"]*' || (terms ->> 'names') || '[^"]*"', to_json(mark)::text, 'gi');
  elsif part in ('search', 'name', 'name_key') then
    return regexp_replace(value, terms ->> 'names', mark, 'gi');
  end if;
  return value;
end
$$;

-- The same for every text within a JSON value. Keys stay, unless they contain an address or number.
create function erased_json(value jsonb, terms jsonb, mark text, in_list boolean default false, part text default null) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
begin
  case jsonb_typeof(value)
    when 'object' then
      in_list := in_list or coalesce(terms -> 'lists' ? (value ->> 'list'), false);
      return coalesce((select jsonb_object_agg(public.erased_text(e.key, terms, mark),
        public.erased_json(e.value, terms, mark, in_list, e.key)) from jsonb_each(value) e), '{}');
    when 'array' then
      return coalesce((select jsonb_agg(public.erased_json(e.value, terms, mark, in_list, part) order by e.n)
        from jsonb_array_elements(value) with ordinality e (value, n)), '[]');
    when 'string' then
      return to_jsonb(public.erased_text(value #>> '{}', terms, mark, case when in_list then part end));
    else
      return value;
  end case;
end
$$;

-- The columns of a table that can hold a text, each as the expression without what is erased. What points to another row, or is
-- generated from other columns, is written with these.
create function erasable_columns(of_table regclass) returns table (name text, erased text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select quote_ident(a.attname), case
    when a.atttypid = 'jsonb'::regtype then format('public.erased_json(t.%I, $1, %%1$s, %s)', a.attname, l.is_list)
    when a.atttypid = 'text[]'::regtype then format(
      'case when t.%1$I is null then null else array(select public.erased_text(u.x, $1, %%1$s) from unnest(t.%1$I) with ordinality u (x, n) order by u.n) end',
      a.attname)
    else format('public.erased_text(t.%I, $1, %%1$s, case when %s then %L end)', a.attname, l.is_list, a.attname) end
  from pg_attribute a cross join lateral (
    select case when exists (select from pg_attribute o where o.attrelid = of_table and o.attname = 'list')
      then 'coalesce($1 -> ''lists'' ? t.list, false)' else 'false' end as is_list) l
  where a.attrelid = of_table and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'jsonb'::regtype, 'text[]'::regtype)
    and not exists (select from pg_constraint c where c.conrelid = of_table and c.contype = 'f' and a.attnum = any (c.conkey))
  order by a.attnum
$$;

-- How many rows mention someone, by table, within the caller's reach. With `writes` the mentions are replaced by "[erased]", also in
-- the audit log, which is not counted. `kept`: tables that are only counted. `gone`: the IDs of rows that are or will be deleted, by
-- the columns that name them, such as "lead_id".
create function mentions_of_person(terms jsonb, kept text[], gone jsonb, writes boolean)
returns table (table_name text, mentions bigint, is_kept boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_customer constant bigint := nullif(current_setting('app.customer_id', true), '')::bigint;
  of_organization constant bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
  reaches_all constant boolean := coalesce(current_setting('app.reach', true) = 'customer', false);
  found record;
  texts text;
  changed text;
  assigned text;
  condition text;
begin
  for found in
    select c.oid, c.relname::text as name, c.relname = 'audit_log' as is_log,
      c.relname = any (kept) or exists (select from pg_trigger g join pg_proc p on p.oid = g.tgfoid
        where g.tgrelid = c.oid and p.proname = 'refuse_change' and g.tgtype & 16 > 0) as stays,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'id') as has_id,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id') as has_organization
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id')
      and exists (select from public.erasable_columns(c.oid))
    -- What is changed before is in the log, too.
    order by is_log, name
  loop
    continue when found.is_log and not writes;
    select string_agg('t.' || e.name || '::text', ', '), string_agg(format('t.%s is distinct from %s', e.name, e.erased), ' or '),
      string_agg(format('%s = %s', e.name, e.erased), ', ')
      into texts, changed, assigned from public.erasable_columns(found.oid) e;
    condition := format('t.customer_id = $2 and concat_ws(E''\n'', %s) ~* ($1 ->> ''loose'')', texts)
      || case when found.has_organization then ' and ($4 or t.organization_id is null or t.organization_id = $3)' else '' end
      || coalesce((select string_agg(format(' and (t.%1$I is null or not t.%1$I = any (array(select jsonb_array_elements_text($5 -> %2$L))::bigint[]))',
          a.attname, case a.attname when 'id' then found.name else a.attname::text end), '')
        from pg_attribute a where a.attrelid = found.oid and a.atttypid = 'int8'::regtype
          and gone ? case a.attname when 'id' then found.name else a.attname::text end), '')
      || format(' and (%s)', format(changed, quote_literal('[erased]')));
    table_name := found.name;
    is_kept := found.stays;
    if found.stays or not writes then
      execute format('select count(*) from public.%I t where %s', found.name, condition)
        into mentions using terms, of_customer, of_organization, reaches_all, gone;
    else
      begin
        execute format('update public.%I t set %s where %s', found.name, format(assigned, quote_literal('[erased]')), condition)
          using terms, of_customer, of_organization, reaches_all, gone;
        get diagnostics mentions = row_count;
      exception when unique_violation then
        -- Two texts that must differ.
        execute format('update public.%I t set %s where %s', found.name, format(assigned, case when found.has_id
            then '''[erased '' || t.id || '']''' else '''[erased '' || left(gen_random_uuid()::text, 8) || '']''' end), condition)
          using terms, of_customer, of_organization, reaches_all, gone;
        get diagnostics mentions = row_count;
      end;
    end if;
    if mentions > 0 and not found.is_log then return next; end if;
  end loop;
end
$$;
revoke execute on function erased_text(text, jsonb, text, text), erased_json(jsonb, jsonb, text, boolean, text),
  erasable_columns(regclass), mentions_of_person(jsonb, text[], jsonb, boolean) from public;
grant execute on function mentions_of_person(jsonb, text[], jsonb, boolean) to forecourt_app;
