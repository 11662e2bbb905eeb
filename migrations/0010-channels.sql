-- Destinations that receive a customer's vehicles. Shared by all organizations of the customer.
create table channels (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  kind text not null check (kind in ('google', 'meta', 'csv')),
  format text not null check (format in ('csv', 'xml', 'json')),
  is_active boolean not null default true,
  -- A rule over the vehicle list; empty: everything in stock.
  rule text not null default '',
  page_template text,
  destination text not null check (destination in ('pull', 'sftp', 'ftps', 'https')),
  host text,
  port integer check (port between 1 and 65535),
  remote_path text,
  user_name text,
  -- Sealed for the server it was given for.
  secret_sealed text,
  -- Part of the file's secret address, so that the address can be replaced.
  address_number integer not null default 1,
  every_hours integer check (every_hours between 1 and 168),
  -- In the customer's time zone.
  daily_at text check (daily_at ~ '^\d\d:\d\d$'),
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  -- Custom columns of a CSV file: [{"name", "value"}], in order; empty: the default columns.
  columns jsonb not null default '[]' check (jsonb_typeof(columns) = 'array'),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  check (destination = 'pull' or (host is not null and remote_path is not null)),
  check (num_nonnulls(every_hours, daily_at) <= 1)
);
create trigger touch before update on channels for each row execute function touch_row('name_key');
call protect_tenant_table('channels', array['id']);

-- Each attempt to send a channel's file.
create table channel_runs (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  channel_id bigint not null,
  state text not null default 'running' check (state in ('running', 'sent', 'unchanged', 'stopped', 'failed')),
  -- Null: the schedule.
  asked_by text,
  started_at timestamptz not null default app_now(),
  ended_at timestamptz,
  offered integer not null default 0,
  held integer not null default 0,
  bytes bigint not null default 0,
  file_hash text,
  reasons jsonb not null default '{}' check (jsonb_typeof(reasons) = 'object'),
  said text,
  primary key (customer_id, id),
  foreign key (customer_id, channel_id) references channels (customer_id, id) on delete cascade
);
create index channel_runs_latest on channel_runs (customer_id, channel_id, id desc);
call protect_tenant_table('channel_runs', array['id'], audited => false);

-- When a channel is due, its lease, and what its destination has now.
create table channel_states (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  channel_id bigint not null,
  -- Null: only on demand.
  next_run_at timestamptz,
  asked_by text,
  -- The server working on it, and until when it holds the lease.
  lease uuid,
  leased_until timestamptz,
  -- Consecutive failures.
  failures integer not null default 0,
  -- The run with the current file, and what the destination received.
  current_run_id bigint,
  sent_hash text,
  sent_offered integer,
  -- The first host key an SFTP server showed, and which server that was.
  host_key text,
  host_key_of text,
  primary key (customer_id, channel_id),
  foreign key (customer_id, channel_id) references channels (customer_id, id) on delete cascade,
  foreign key (customer_id, current_run_id) references channel_runs (customer_id, id) on delete set null (current_run_id)
);
create index channel_states_due on channel_states (customer_id, next_run_at) where next_run_at is not null;
call protect_tenant_table('channel_states', array['channel_id'], audited => false);
create policy queue on channel_states to forecourt_jobs using (true) with check (true);
grant select, update on channel_states to forecourt_jobs;
create index channel_states_current_run on channel_states (customer_id, current_run_id) where current_run_id is not null;

-- Vehicles that a run excluded, visible to users who see the vehicle.
create table channel_held (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  run_id bigint not null,
  vehicle_id bigint not null,
  organization_id bigint not null,
  title text not null,
  reasons text[] not null,
  primary key (customer_id, run_id, vehicle_id),
  foreign key (customer_id, run_id) references channel_runs (customer_id, id) on delete cascade
);
call protect_tenant_table('channel_held', array['run_id', 'vehicle_id'], by_organization => true,
  operations => 'select, insert, delete', audited => false);

-- The file of a run, in parts of one megabyte, so that any server can send it without holding all of it.
create table channel_file_parts (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  run_id bigint not null,
  part integer not null,
  bytes bytea not null,
  primary key (customer_id, run_id, part),
  foreign key (customer_id, run_id) references channel_runs (customer_id, id) on delete cascade
);
alter table channel_file_parts alter column bytes set storage external;
call protect_tenant_table('channel_file_parts', array['run_id', 'part'], operations => 'select, insert, delete', audited => false);

-- When the newest feed run and channel run started, across customers, for the metrics.
create function last_runs() returns table (what text, at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select 'feeds', max(r.at) from customers c cross join lateral (select f.created_at as at from feed_runs f
    where f.customer_id = c.id order by f.created_at desc, f.id desc limit 1) r
  union all
  select 'channels', max(r.at) from channels c cross join lateral (select x.started_at as at from channel_runs x
    where x.customer_id = c.customer_id and x.channel_id = c.id order by x.id desc limit 1) r
$$;
revoke execute on function last_runs() from public;
grant execute on function last_runs() to forecourt_jobs;
