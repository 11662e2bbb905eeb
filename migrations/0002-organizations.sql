-- A customer is the tenant account; an organization one legal entity or rooftop inside it.
create table customers (
  id bigint generated always as identity primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  -- The platform's own customer: its people act in one customer at a time.
  is_platform boolean not null default false,
  created_at timestamptz not null default now()
);
alter table customers enable row level security;
create policy tenant on customers for select to forecourt_app
  using (id = (select nullif(current_setting('app.customer_id', true), '')::bigint));
create policy identity on customers for select to forecourt_iam using (true);
grant select on customers to forecourt_app, forecourt_iam;

create table organizations (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- An https address, a path of this server, or a small embedded picture.
  logo text,
  time_zone text not null default 'UTC',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key)
);
create trigger touch before update on organizations for each row execute function touch_row();
call protect_tenant_table('organizations', array['id']);
create policy identity on organizations for select to forecourt_iam using (true);
grant select on organizations to forecourt_iam;
