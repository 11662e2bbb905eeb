-- A customer is a tenant account. An organization is a legal entity or rooftop of a customer.
create table customers (
  id bigint generated always as identity primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  -- The platform's own customer: its users work in one customer at a time.
  is_platform boolean not null default false,
  created_at timestamptz not null default app_now(),
  legal_name text,
  website text,
  phone text,
  time_zone text not null default 'UTC',
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  distance_unit text not null default 'mi' check (distance_unit in ('mi', 'km')),
  -- Which law on advertised prices applies.
  price_law text not null default 'us' check (price_law in ('us', 'us-ca', 'us-ok', 'ca', 'none')),
  makes text[] not null default '{}',
  -- Lists of small objects, saved together with the row. Their shapes are in contract/customers/details/details.ts.
  contacts jsonb not null default '[]' check (jsonb_typeof(contacts) = 'array'),
  fees jsonb not null default '[]' check (jsonb_typeof(fees) = 'array'),
  disclaimers jsonb not null default '[]' check (jsonb_typeof(disclaimers) = 'array'),
  -- The customer's first administrator.
  administrator_id bigint,
  status_reason text,
  status_changed_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  -- Custom vehicle fields in display order: [{"key", "name", "kind", "unit", "choices", "isArchived"}].
  custom_fields jsonb not null default '[]' check (jsonb_typeof(custom_fields) = 'array')
);
alter table customers enable row level security;
create policy tenant on customers for select to forecourt_app
  using (id = (select nullif(current_setting('app.customer_id', true), '')::bigint));
create policy identity on customers for select to forecourt_iam using (true);
grant select on customers to forecourt_app, forecourt_iam;
create trigger touch before update on customers for each row execute function touch_row();

-- Users may change their own customer, except for its status and whether it is the platform.
create policy profile on customers for update to forecourt_app
  using (id = (select nullif(current_setting('app.customer_id', true), '')::bigint))
  with check (id = (select nullif(current_setting('app.customer_id', true), '')::bigint));
grant update (name, legal_name, website, phone, time_zone, currency, distance_unit, price_law, makes, contacts, fees,
  disclaimers, version, updated_at, updated_by) on customers to forecourt_app;
create trigger audit after insert or update or delete on customers for each row execute function audit_change('id');
grant update (custom_fields) on customers to forecourt_app;

create table organizations (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- An https address, a path on this server, or a small embedded image.
  logo text,
  time_zone text not null default 'UTC',
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key)
);
create trigger touch before update on organizations for each row execute function touch_row('name_key');
call protect_tenant_table('organizations', array['id']);
create policy identity on organizations for select to forecourt_iam using (true);
grant select on organizations to forecourt_iam;
