-- The product's clock in SQL. The setting is only there in tests (src/server/clock.ts); without it this is now().

/** The moment at which the transaction began, by the product's clock. */
create function app_now() returns timestamptz language sql stable parallel safe as $$
  select case when coalesce(current_setting('app.clock_offset', true), '') = '' then now()
    else now() + current_setting('app.clock_offset')::interval end
$$;

/** The moment at which it is called, by the product's clock. */
create function app_clock_timestamp() returns timestamptz language sql volatile parallel safe as $$
  select case when coalesce(current_setting('app.clock_offset', true), '') = '' then clock_timestamp()
    else clock_timestamp() + current_setting('app.clock_offset')::interval end
$$;

/** The date at this moment in an IANA time zone. */
create function today(zone text) returns date language sql stable parallel safe as $$
  select (public.app_now() at time zone zone)::date
$$;

-- Every default of the product's own tables follows its clock.
do $$
declare
  found record;
begin
  for found in
    select d.adrelid::regclass as of_table, a.attname as of_column,
      regexp_replace(pg_get_expr(d.adbin, d.adrelid), '\m(now|clock_timestamp)\(\)', 'public.app_\1()', 'g') as by_clock
    from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum and a.attgenerated = ''
    join pg_class c on c.oid = d.adrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not like 'pg\_%' and n.nspname not in ('information_schema', 'pgboss')
      and c.relname <> 'schema_migrations'
      and pg_get_expr(d.adbin, d.adrelid) ~ '\m(now|clock_timestamp)\(\)'
  loop
    execute format('alter table %s alter column %I set default %s', found.of_table, found.of_column, found.by_clock);
  end loop;
end
$$;

-- So does every function that notes a time. Nothing else in these three changes.
create or replace function touch_row() returns trigger language plpgsql as $$
declare
  is_changed boolean;
begin
  if tg_nargs = 0 then
    is_changed := new is distinct from old;
  else
    is_changed := (to_jsonb(new) - tg_argv) is distinct from (to_jsonb(old) - tg_argv);
  end if;
  if is_changed then
    new.version := old.version + 1;
    new.updated_at := public.app_now();
    new.updated_by := nullif(current_setting('app.actor_name', true), '');
  end if;
  return new;
end
$$;

create or replace function touch_vehicle() returns trigger language plpgsql as $$
declare
  seen vehicles := new;
begin
  -- Generated columns are not made yet in `new`, and follow from the others.
  seen.stock_key := old.stock_key;
  seen.name_key := old.name_key;
  seen.waits_since := old.waits_since;
  seen.photo_count := old.photo_count;
  seen.completeness := old.completeness;
  seen.row_print := old.row_print;
  seen.feed_source_id := old.feed_source_id;
  seen.missing_runs := old.missing_runs;
  seen.removed_from := old.removed_from;
  if seen is distinct from old then
    new.version := old.version + 1;
    new.updated_at := public.app_now();
    new.updated_by := nullif(current_setting('app.actor_name', true), '');
  end if;
  return new;
end
$$;

create or replace function mark_stale(customer bigint, sources bigint[]) returns void language sql security definer
set search_path = pg_catalog, public, pg_temp as $$
  insert into public.stale_sources (customer_id, source_id, organization_id, inventory_id)
  select s.customer_id, s.id, s.organization_id, s.inventory_id
  from public.emission_sources s
  join public.carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
  where s.customer_id = customer and s.id = any(sources) and i.status in ('draft', 'collecting', 'in_review')
  order by s.id
  on conflict (customer_id, source_id) do update set since = public.app_clock_timestamp()
$$;
