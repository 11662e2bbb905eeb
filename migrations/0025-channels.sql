-- Places that take the vehicles of a customer. Kept by the customer for all its rooftops.
create table channels (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  kind text not null check (kind in ('google', 'meta', 'csv')),
  format text not null check (format in ('csv', 'xml', 'json')),
  is_active boolean not null default true,
  -- Over the list of vehicles; empty: all that are in stock.
  rule text not null default '',
  page_template text,
  destination text not null check (destination in ('pull', 'sftp', 'ftps', 'https')),
  host text,
  port integer check (port between 1 and 65535),
  remote_path text,
  user_name text,
  -- Sealed for the place it was given for.
  secret_sealed text,
  -- The word in the address of its file is made of this number, so that it can be another one tomorrow.
  address_number integer not null default 1,
  every_hours integer check (every_hours between 1 and 168),
  -- In the zone of the customer.
  daily_at text check (daily_at ~ '^\d\d:\d\d$'),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  check (destination = 'pull' or (host is not null and remote_path is not null)),
  check (num_nonnulls(every_hours, daily_at) <= 1)
);
create trigger touch before update on channels for each row execute function touch_row('name_key');
call protect_tenant_table('channels', array['id']);

-- Each attempt to bring a channel its file.
create table channel_runs (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  channel_id bigint not null,
  state text not null default 'running' check (state in ('running', 'sent', 'unchanged', 'stopped', 'failed')),
  -- Null: the schedule.
  asked_by text,
  started_at timestamptz not null default now(),
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

-- When a channel is due, whose turn it is, and what lies at its place now.
create table channel_states (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  channel_id bigint not null,
  -- Null: when somebody asks for it.
  next_run_at timestamptz,
  asked_by text,
  -- Which server works on it, and until when nobody else may.
  lease uuid,
  leased_until timestamptz,
  -- How often in a row it went wrong.
  failures integer not null default 0,
  -- The run whose file is the present one, and what the place at the other end holds.
  current_run_id bigint,
  sent_hash text,
  sent_offered integer,
  -- The key an SFTP server showed first, and which server that was.
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

-- What a run held back: who sees the vehicle sees this.
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

-- The file of a run, in parts of a megabyte: any server hands it out, none holds it whole.
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
