-- Where feeds come from, each time one was read, and what it would change: staged apart from the vehicles, so that people
-- see it first and nobody is locked out while a file is read.

-- A lasting place that a feed comes from. It works with the rights of whoever set it up, as jobs do.
create table feed_sources (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- The rooftop whose people see it; null for those who reach the whole customer.
  organization_id bigint,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  kind text not null default 'upload' check (kind in ('upload', 'https', 'sftp', 'ftp', 'mail', 'api')),
  -- Null: the one that fits is looked for each time.
  mapping_id bigint,
  -- Addresses, user names, paths: nothing secret.
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  -- Cron, UTC; null: when somebody asks for it.
  schedule text,
  is_active boolean not null default true,
  -- The lots that it covers; empty: all that its owner reaches.
  lot_ids bigint[] not null default '{}',
  -- Rows of the last file that was applied.
  last_row_count integer,
  last_run_at timestamptz,
  next_run_at timestamptz,
  last_problem text,
  acting_organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  reach text not null default current_setting('app.reach', true) check (reach in ('organization', 'customer')),
  user_customer_id bigint not null,
  user_id bigint not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, acting_organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, mapping_id) references provider_mappings (customer_id, id) on delete set null (mapping_id)
);
create index feed_sources_mapping on feed_sources (customer_id, mapping_id) where mapping_id is not null;
create trigger touch before update on feed_sources for each row
  execute function touch_row('name_key', 'last_row_count', 'last_run_at', 'next_run_at', 'last_problem');
call protect_tenant_table('feed_sources', array['id'], by_organization => true);

-- One file of a feed: read, looked at, applied, undone.
create table feed_runs (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint,
  source_id bigint,
  -- The mapping and the version of it that was used; null where one was proposed, which `mapping` keeps.
  mapping_id bigint,
  mapping_version integer,
  mapping jsonb,
  mapping_name text,
  -- What rows without a lot of their own stand on.
  lot_id bigint,
  file_name text not null,
  file_hash text,
  -- The name under which the file is kept while it is being read.
  stored_as text,
  bytes bigint not null default 0,
  status text not null default 'reading' check (status in
    ('reading', 'ready', 'held', 'applying', 'applied', 'cancelled', 'failed', 'undoing', 'undone')),
  -- Why it stopped as a whole.
  error text,
  -- Why somebody has to look before it is applied.
  held text[] not null default '{}',
  row_count integer not null default 0,
  new_count integer not null default 0,
  changed_count integer not null default 0,
  price_count integer not null default 0,
  missing_count integer not null default 0,
  unchanged_count integer not null default 0,
  refused_count integer not null default 0,
  -- Values that were left alone because somebody locked them.
  locked_count integer not null default 0,
  -- Staged rows that applying left as they were, and those that undoing did.
  skipped_count integer not null default 0,
  kept_count integer not null default 0,
  -- How many of the file's columns the mapping uses.
  columns_known integer,
  columns_total integer,
  -- [{"dealer", "rows"}], [{"field", "value", "rows"}], [{"sentence", "rows"}]: the most frequent ones.
  unknown_dealers jsonb not null default '[]',
  unmapped jsonb not null default '[]',
  warnings jsonb not null default '[]',
  job_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  read_at timestamptz,
  applied_at timestamptz,
  applied_by text,
  undone_at timestamptz,
  undone_by text,
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, source_id) references feed_sources (customer_id, id) on delete set null (source_id)
);
create index feed_runs_latest on feed_runs (customer_id, created_at desc, id desc);
create index feed_runs_source on feed_runs (customer_id, source_id, id) where source_id is not null;
-- Of one source one run at a time writes.
create unique index feed_runs_writing on feed_runs (customer_id, source_id) where status in ('applying', 'undoing');
create trigger touch before update on feed_runs for each row execute function touch_row();
call protect_tenant_table('feed_runs', array['id'], by_organization => true, operations => 'select, insert, update');

-- What a run would do, a row for each vehicle it would make different and each row it refused; what stays as it is
-- leaves nothing. `same`: nothing but where it comes from is noted on the vehicle.
create table feed_run_rows (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  run_id bigint not null,
  id bigint generated always as identity,
  organization_id bigint,
  kind text not null check (kind in ('new', 'changed', 'missing', 'refused', 'same')),
  state text not null default 'staged' check (state in ('staged', 'applied', 'skipped', 'undone', 'kept')),
  line integer,
  lot_id bigint,
  vehicle_id bigint,
  title text not null default '',
  vin text,
  stock text,
  -- The lot as the provider numbers it.
  dealer text,
  -- As it stood in the file: of refused rows.
  raw text,
  reasons text[] not null default '{}',
  warnings text[] not null default '{}',
  -- Tells the row from its next state without its values.
  print text,
  -- By the fields' names in the contract: what becomes, and what was. Of applied rows exactly what was written.
  after jsonb not null default '{}',
  before jsonb not null default '{}',
  -- Which of them the VIN said.
  from_vin text[] not null default '{}',
  -- What the feed says otherwise and somebody locked.
  locked text[] not null default '{}',
  changes_price boolean not null default false,
  -- What else the vehicle was before: {"status", "reason", "removedFrom", "missingRuns", "sourceId", "print", "stamps"}.
  was jsonb,
  -- The status it is given: of what went missing or came back.
  to_status text,
  -- Why it was left as it was.
  note text,
  primary key (customer_id, run_id, id),
  foreign key (customer_id, run_id) references feed_runs (customer_id, id) on delete cascade
);
create index feed_run_rows_staged on feed_run_rows (customer_id, run_id, lot_id, id) where state = 'staged' and kind <> 'refused';
create index feed_run_rows_applied on feed_run_rows (customer_id, run_id, lot_id, id) where state = 'applied';
create index feed_run_rows_kind on feed_run_rows (customer_id, run_id, kind, id);
call protect_tenant_table('feed_run_rows', array['run_id', 'id'], by_organization => true, audited => false);

-- What an import knows a vehicle by: the row it was last made of, which source names it, in how many runs it was
-- missing, and what its feed's absence ended. The number of a source that is gone means nothing and is never given again.
alter table vehicles
  add column row_print text,
  add column feed_source_id bigint,
  add column missing_runs smallint not null default 0,
  add column removed_from text;
create index vehicles_feed on vehicles (customer_id, feed_source_id, id) where feed_source_id is not null;
create index vehicles_vin_gone on vehicles (customer_id, vin)
  where vin is not null and status in ('sold', 'archived', 'wholesale', 'removed');
-- None of this is a change that people see.
create or replace trigger touch before update on vehicles for each row execute function touch_row(
  'stock_key', 'name_key', 'waits_since', 'photo_count', 'completeness', 'row_print', 'feed_source_id', 'missing_runs', 'removed_from');

-- The stamps of these fields alone.
create function stamps_of(provenance jsonb, fields text[]) returns jsonb language sql immutable parallel safe as $$
  select coalesce((select jsonb_agg(kept.stamp order by kept.place) from (
    select s.place, s.value || jsonb_build_object('fields', jsonb_agg(f.name order by f.place)) as stamp
    from jsonb_array_elements(provenance) with ordinality as s (value, place)
    cross join lateral jsonb_array_elements_text(s.value -> 'fields') with ordinality as f (name, place)
    where f.name = any(fields)
    group by s.place, s.value) kept), '[]')
$$;

-- The stamps after `fields` were given back what they were, with their earlier stamps. Stamps that say the same are one.
create function unstamp_fields(provenance jsonb, fields text[], earlier jsonb) returns jsonb language sql immutable parallel safe as $$
  select coalesce((select jsonb_agg(kept.stamp order by kept.place) from (
    select min(s.place) as place, (s.value - 'fields') || jsonb_build_object('fields', jsonb_agg(f.name order by f.name)) as stamp
    from (
      select e.value, 1000 + e.place as place, false as is_earlier from jsonb_array_elements(provenance) with ordinality as e (value, place)
      union all
      select e.value, e.place, true from jsonb_array_elements(earlier) with ordinality as e (value, place)
    ) s
    cross join lateral jsonb_array_elements_text(s.value -> 'fields') as f (name)
    where (f.name = any(fields)) = s.is_earlier
    group by s.value - 'fields') kept), '[]')
$$;

-- A job that stopped tells its run. What was written until then stays and can be undone, or written on.
create function stop_feed_run() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.feed_runs set
    status = case when status = 'reading' then new.state else 'applied' end,
    error = case when status = 'reading' then new.error
      when status = 'applying' then coalesce(new.error, 'It was cancelled before its end.')
      else coalesce(new.error, 'Undoing it was cancelled before its end.') end
  where customer_id = new.customer_id and job_id = new.id and status in ('reading', 'applying', 'undoing');
  return null;
end
$$;
create trigger stop_feed_run after update of state on jobs for each row
  when (new.state in ('failed', 'cancelled') and old.state is distinct from new.state and new.kind like 'feedRuns.%')
  execute function stop_feed_run();
