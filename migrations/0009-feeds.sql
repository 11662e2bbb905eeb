-- How a provider's feed becomes vehicles: its columns mapped to our fields. Shared by all organizations of the customer.
create table provider_mappings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- The built-in preset it started from.
  provider text,
  mapping jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key)
);
create trigger touch before update on provider_mappings for each row execute function touch_row('name_key');
call protect_tenant_table('provider_mappings', array['id']);

-- Every saved version of a mapping. Rows never change: a feed run names the version it used.
create table provider_mapping_versions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  mapping_id bigint not null,
  version integer not null,
  name text not null,
  provider text,
  mapping jsonb not null,
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, mapping_id, version),
  foreign key (customer_id, mapping_id) references provider_mappings (customer_id, id) on delete cascade
);
call protect_tenant_table('provider_mapping_versions', array['mapping_id', 'version'], operations => 'select, insert', audited => false);

-- A source of feeds: uploaded, fetched on a schedule, pushed to an address, or attached to an email. It works with the
-- permissions of the user who set it up, as jobs do.
create table feed_sources (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- The organization whose users see it; null if it needs customer-wide reach.
  organization_id bigint,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  kind text not null default 'upload',
  -- Null: the best match is chosen for each file.
  mapping_id bigint,
  is_active boolean not null default true,
  -- The lots it covers; empty: all lots its owner reaches.
  lot_ids bigint[] not null default '{}',
  -- Rows of the last applied file.
  last_row_count integer,
  last_run_at timestamptz,
  acting_organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  reach text not null default current_setting('app.reach', true) check (reach in ('organization', 'customer')),
  user_customer_id bigint not null,
  user_id bigint not null,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  host text,
  port integer check (port between 1 and 65535),
  remote_path text,
  user_name text,
  -- Sealed for the server it was given for.
  secret_sealed text,
  every_hours integer check (every_hours between 1 and 168),
  -- In the customer's time zone.
  daily_at text check (daily_at ~ '^\d\d:\d\d$'),
  -- Whether runs without hold reasons are applied automatically.
  applies text not null default 'ask' check (applies in ('ask', 'byItself')),
  -- Hash of the token in its address. The token is shown once and not stored.
  token_hash text,
  -- Senders whose emails are accepted; empty: anyone who knows the address.
  senders text[] not null default '{}',
  -- What happens to a file on its server after it was fetched.
  after_fetch text not null default 'keep' check (after_fetch in ('keep', 'delete', 'move')),
  -- From the server's root, or relative to the file's folder.
  move_to text,
  primary key (customer_id, id),
  unique (customer_id, name_key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, acting_organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, mapping_id) references provider_mappings (customer_id, id) on delete set null (mapping_id),
  constraint feed_sources_kind_check check (kind in ('upload', 'https', 'sftp', 'ftps', 'ftp', 'api', 'mail')),
  check (num_nonnulls(every_hours, daily_at) <= 1),
  check ((after_fetch = 'move') = (move_to is not null))
);
create index feed_sources_mapping on feed_sources (customer_id, mapping_id) where mapping_id is not null;
create trigger touch before update on feed_sources for each row
  execute function touch_row('name_key', 'last_row_count', 'last_run_at');
call protect_tenant_table('feed_sources', array['id'], by_organization => true);
create index feed_sources_organization on feed_sources (customer_id, organization_id) where organization_id is not null;
create index feed_sources_acting on feed_sources (customer_id, acting_organization_id) where acting_organization_id is not null;

-- One file of a feed: read, reviewed, applied, undone. Its changes are staged separately from the vehicles, so that people
-- see them first and no rows are locked while a file is read.
create table feed_runs (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint,
  source_id bigint,
  -- The mapping and version used. Null if one was proposed; it is then in `mapping`.
  mapping_id bigint,
  mapping_version integer,
  mapping jsonb,
  mapping_name text,
  -- The lot for rows without a lot of their own.
  lot_id bigint,
  file_name text not null,
  file_hash text,
  -- The name under which the file is stored until the run ends.
  stored_as text,
  bytes bigint not null default 0,
  status text not null default 'reading',
  -- Why the run as a whole failed.
  error text,
  -- Hold reasons: why a person must review it before it is applied.
  held text[] not null default '{}',
  row_count integer not null default 0,
  new_count integer not null default 0,
  changed_count integer not null default 0,
  price_count integer not null default 0,
  missing_count integer not null default 0,
  unchanged_count integer not null default 0,
  refused_count integer not null default 0,
  -- Values left alone because they are locked.
  locked_count integer not null default 0,
  -- Staged rows that applying left as they were, and rows that undoing left as they were.
  skipped_count integer not null default 0,
  kept_count integer not null default 0,
  -- Columns of the file that the mapping uses.
  columns_known integer,
  columns_total integer,
  -- [{"dealer", "rows"}], [{"field", "value", "rows"}], [{"sentence", "rows"}]: the most frequent ones.
  unknown_dealers jsonb not null default '[]',
  unmapped jsonb not null default '[]',
  warnings jsonb not null default '[]',
  job_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  read_at timestamptz,
  applied_at timestamptz,
  applied_by text,
  undone_at timestamptz,
  undone_by text,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  -- Whether it arrived automatically, and whether it is applied automatically unless there is a hold reason.
  comes_itself boolean not null default false,
  applies_itself boolean not null default false,
  -- A mapping can join two files: the run waits for the second one.
  second_name text,
  second_stored_as text,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, source_id) references feed_sources (customer_id, id) on delete set null (source_id),
  constraint feed_runs_status_check check (status in
    ('waiting', 'reading', 'ready', 'held', 'applying', 'applied', 'cancelled', 'failed', 'undoing', 'undone'))
);
create index feed_runs_latest on feed_runs (customer_id, created_at desc, id desc);
create index feed_runs_source on feed_runs (customer_id, source_id, id) where source_id is not null;

-- A source has one writing run at a time.
create unique index feed_runs_writing on feed_runs (customer_id, source_id) where status in ('applying', 'undoing');
create trigger touch before update on feed_runs for each row execute function touch_row();
call protect_tenant_table('feed_runs', array['id'], by_organization => true, operations => 'select, insert, update');
create index feed_runs_organization on feed_runs (customer_id, organization_id) where organization_id is not null;

-- What a run would do: a row for each vehicle it would change and each row it rejected. Unchanged rows are not stored.
-- `same`: only the vehicle's source data changes.
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
  -- The provider's dealer ID for the lot.
  dealer text,
  -- The line of the file, for rejected rows.
  raw text,
  reasons text[] not null default '{}',
  warnings text[] not null default '{}',
  -- A hash that tells whether the row changed since the last run.
  print text,
  -- By contract field name: the new and the former values. For applied rows exactly what was written.
  after jsonb not null default '{}',
  before jsonb not null default '{}',
  -- Which of them come from VIN decoding.
  from_vin text[] not null default '{}',
  -- Values of the feed that differ but are locked.
  locked text[] not null default '{}',
  changes_price boolean not null default false,
  -- Other former values of the vehicle: {"status", "reason", "removedFrom", "missingRuns", "sourceId", "print", "stamps"}.
  was jsonb,
  -- The status it gets when it went missing or returned.
  to_status text,
  -- Why it was left as it was.
  note text,
  primary key (customer_id, run_id, id),
  foreign key (customer_id, run_id) references feed_runs (customer_id, id) on delete cascade
);
create index feed_run_rows_applied on feed_run_rows (customer_id, run_id, lot_id, id) where state = 'applied';
create index feed_run_rows_kind on feed_run_rows (customer_id, run_id, kind, id);
call protect_tenant_table('feed_run_rows', array['run_id', 'id'], by_organization => true, audited => false);

-- A run writes known vehicles first, then new ones, 500 at a time. With one index for both, each batch of known ones would
-- skip over every waiting new row.
create index feed_run_rows_staged_new on feed_run_rows (customer_id, run_id, lot_id, id) where state = 'staged' and kind = 'new';
create index feed_run_rows_staged_known on feed_run_rows (customer_id, run_id, lot_id, id)
  where state = 'staged' and kind in ('changed', 'missing', 'same');

-- When a job stops, its feed run does too, and the source of an automatic run records the problem. What was written until
-- then stays; it can be undone or continued.
create function stop_feed_run() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.feed_source_states s set last_problem = coalesce(new.error, 'Reading the file was cancelled.')
  from public.feed_runs r
  where r.customer_id = new.customer_id and r.job_id = new.id and r.status = 'reading' and new.state = 'failed'
    and r.comes_itself and s.customer_id = r.customer_id and s.source_id = r.source_id;
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

-- What values of feeds mean: a feed's text and the customer's value for it. Shared by all organizations; takes precedence
-- over the built-in values.
create table value_mappings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  field text not null check (field in ('condition', 'make', 'model', 'body', 'genericColour', 'fuel', 'electrification',
    'transmission', 'drivetrain')),
  raw text not null,
  -- Without case and extra spaces, as contract/inventory/values/mapped-fields.ts computes it.
  raw_key text not null,
  -- Null: the value is ignored.
  canonical text,
  -- Null: any provider.
  provider_mapping_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  constraint value_mappings_value unique nulls not distinct (customer_id, field, raw_key, provider_mapping_id),
  foreign key (customer_id, provider_mapping_id) references provider_mappings (customer_id, id) on delete cascade
);
create trigger touch before update on value_mappings for each row execute function touch_row();
call protect_tenant_table('value_mappings', array['id']);
create index value_mappings_provider_mapping on value_mappings (customer_id, provider_mapping_id) where provider_mapping_id is not null;

-- Values of feeds without a mapping. Mapping a value removes it; undoing that brings it back.
create table unmapped_values (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  field text not null check (field in ('condition', 'make', 'model', 'body', 'genericColour', 'fuel', 'electrification',
    'transmission', 'drivetrain')),
  raw text not null,
  raw_key text not null,
  -- The mapping and run that had it last, and how many rows of that run.
  provider_mapping_id bigint,
  run text,
  rows integer not null check (rows > 0),
  -- VINs of some of those rows, as examples for users who reach them.
  vins text[] not null default '{}',
  -- A suggested meaning, its probability in percent, and the reason.
  suggestion text,
  certainty integer check (certainty between 0 and 100),
  reason text,
  first_seen_at timestamptz not null default app_now(),
  last_seen_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  constraint unmapped_values_value unique (customer_id, field, raw_key),
  foreign key (customer_id, provider_mapping_id) references provider_mappings (customer_id, id)
    on delete set null (provider_mapping_id)
);
create index unmapped_values_mapping on unmapped_values (customer_id, provider_mapping_id);
call protect_tenant_table('unmapped_values', array['id'], audited => false);

-- Dealer IDs in feeds that no lot has. Adding one to a lot removes it here.
create table unmatched_dealer_ids (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  dealer_id text not null,
  dealer_key text not null,
  -- The name of the feed, and the rows of its last run with this ID.
  source text,
  run text,
  rows integer not null check (rows > 0),
  first_seen_at timestamptz not null default app_now(),
  last_seen_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  unique (customer_id, dealer_key)
);
call protect_tenant_table('unmatched_dealer_ids', array['id'], audited => false);

-- When a source is due, its lease, and its last problem. Separate from the source because these are not edits of it.
create table feed_source_states (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  source_id bigint not null,
  -- Null: only on demand.
  next_run_at timestamptz,
  asked_by text,
  -- The server working on it, and until when it holds the lease.
  lease uuid,
  leased_until timestamptz,
  -- Consecutive failures.
  failures integer not null default 0,
  -- The first host key an SFTP server showed, and which server that was.
  host_key text,
  host_key_of text,
  last_problem text,
  -- When the owner was notified of the problem; null: not yet.
  told_at timestamptz,
  -- Why the last file could not be deleted or moved on its server; it was read nevertheless.
  after_problem text,
  -- Where the last file was taken from: a missing file there is not a failure.
  taken_from text,
  taken_name text,
  -- Its modification time as reported by the server, if any.
  taken_changed_at timestamptz,
  primary key (customer_id, source_id),
  foreign key (customer_id, source_id) references feed_sources (customer_id, id) on delete cascade
);
create index feed_source_states_due on feed_source_states (customer_id, next_run_at) where next_run_at is not null;
call protect_tenant_table('feed_source_states', array['source_id'], audited => false);
create policy queue on feed_source_states to forecourt_jobs using (true) with check (true);
grant select, update on feed_source_states to forecourt_jobs;

-- Each file that arrived automatically, or should have.
create table feed_arrivals (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  source_id bigint not null,
  state text not null default 'running' check (state in ('running', 'brought', 'unchanged', 'failed')),
  -- Null: the schedule, or the sender.
  asked_by text,
  started_at timestamptz not null default app_now(),
  ended_at timestamptz,
  file_name text,
  -- Identifies an email's attachment, so that a repeated webhook is processed once.
  mail_key text,
  -- The run it became, or the run that had the same file.
  run_id bigint,
  said text,
  primary key (customer_id, id),
  foreign key (customer_id, source_id) references feed_sources (customer_id, id) on delete cascade
);
create index feed_arrivals_latest on feed_arrivals (customer_id, source_id, id desc);
create unique index feed_arrivals_mail on feed_arrivals (customer_id, source_id, mail_key) where mail_key is not null;
call protect_tenant_table('feed_arrivals', array['id'], audited => false);

-- Freshly staged rows have no statistics, and a join planned for one row takes time proportional to their square. Only the
-- columns that are looked up are analyzed, not the long values. Only the owner may run ANALYZE.
create function weigh_feed_rows() returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  analyze public.feed_run_rows (customer_id, run_id, id, kind, state, lot_id, vehicle_id);
end
$$;
revoke execute on function weigh_feed_rows() from public;
grant execute on function weigh_feed_rows() to forecourt_app;

-- Rows of a second file while the two are joined, so that they are not held in memory. Deleted once the run is read.
create table feed_run_partners (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  run_id bigint not null,
  id bigint generated always as identity,
  organization_id bigint,
  -- The join key, in capitals without spaces; null for rows that cannot be joined.
  join_key text,
  -- The row as read: {"line", "cells", "raw", "problems"}.
  row json not null,
  primary key (customer_id, run_id, id),
  foreign key (customer_id, run_id) references feed_runs (customer_id, id) on delete cascade
);
create unique index feed_run_partners_key on feed_run_partners (customer_id, run_id, join_key) where join_key is not null;
call protect_tenant_table('feed_run_partners', array['run_id', 'id'], by_organization => true, audited => false);

-- A run that stops while reading deletes the rows of its second file.
create function forget_feed_partners() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.feed_run_partners where customer_id = new.customer_id and run_id = new.id;
  return null;
end
$$;
create trigger forget_feed_partners after update of status on feed_runs for each row
  when (old.status = 'reading' and new.status in ('failed', 'cancelled'))
  execute function forget_feed_partners();
