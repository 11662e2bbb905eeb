-- Price rules of a customer: what changes the price of the vehicles that match (docs/decisions/0112-price-rules.md).
create table pricing_rules (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  kind text not null check (kind in ('base', 'accessory', 'discount', 'rebate', 'floor', 'rounding', 'offer')),
  is_active boolean not null default true,
  -- Empty: all lots.
  lot_ids bigint[] not null default '{}',
  -- A rule over the vehicle list; empty: every vehicle.
  condition text not null default '',
  -- The amount is cents plus percent of field.
  cents integer not null default 0,
  percent float8 check (percent > 0 and percent <= 1000),
  field text check (field in ('price', 'msrp', 'feedPrice', 'marketPrice', 'invoice', 'cost')),
  step_cents integer check (step_cents > 0),
  -- Amounts by days in stock: [{"days", "cents", "percent"}].
  steps jsonb not null default '[]' check (jsonb_typeof(steps) = 'array'),
  exclusive_group text,
  -- In the time zone of each lot: 2026-12-01T00:00.
  from_minute text check (from_minute ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
  until_minute text check (until_minute ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
  qualifier text,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key)
);
create trigger touch before update on pricing_rules for each row execute function touch_row('name_key');
call protect_tenant_table('pricing_rules', array['id']);
