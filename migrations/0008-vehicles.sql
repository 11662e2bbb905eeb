-- A vehicle stands on a lot and belongs to the lot's organization: where the lot goes, its vehicles go.
alter table lots add unique (customer_id, organization_id, id);
drop index lots_organization;

create table vehicles (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  lot_id bigint not null,
  vin text check (vin = upper(vin) and vin <> ''),
  stock text check (stock <> ''),
  stock_key text generated always as (lower(stock)) stored,
  condition text not null default 'used' check (condition in ('new', 'used', 'cpo', 'demo')),
  status text not null default 'incoming' check (status in
    ('incoming', 'preparing', 'live', 'hold', 'pending', 'sold', 'archived', 'wholesale', 'removed')),
  -- Why it is held, or was put back.
  status_reason text,
  year integer check (year between 1885 and 2100),
  make text,
  model text,
  trim text,
  -- What the list calls a vehicle, as it is sorted: never null, so that one index serves both directions. Tabs stand
  -- before blanks: every RAV4 comes before the first RAV4 Hybrid.
  name_key text not null generated always as
    (lower(coalesce(make, '') || E'\t' || coalesce(model, '') || E'\t' || coalesce(trim, '') || E'\t' || coalesce(year::text, ''))) stored,
  body text,
  colour text,
  fuel text,
  transmission text,
  drivetrain text,
  -- In the customer's unit of distance.
  mileage integer check (mileage >= 0),
  -- Integer cents in the customer's currency.
  price_cents bigint check (price_cents >= 0),
  msrp_cents bigint check (msrp_cents >= 0),
  cost_cents bigint check (cost_cents >= 0),
  in_stock_on date,
  -- Since when it has been waiting for a buyer; null once it is gone. Days in stock count from here.
  waits_since date generated always as
    (case when status in ('sold', 'archived', 'wholesale', 'removed') then null else in_stock_on end) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, lot_id) references lots (customer_id, organization_id, id) on update cascade
);

-- A VIN stands on a lot once at a time. It may come back after it was sold, and for a while a sister's feed may name it
-- too. Without a VIN the stock number says which one it is.
create unique index vehicles_vin on vehicles (customer_id, vin, lot_id)
  where vin is not null and status not in ('sold', 'archived', 'wholesale', 'removed');
create unique index vehicles_stock_without_vin on vehicles (customer_id, lot_id, stock_key)
  where vin is null and status not in ('sold', 'archived', 'wholesale', 'removed');

-- One index for each way the list is usually looked at. Each carries the organization, so that row level security is
-- answered from the index and only the rows of one page are read. Where values may be missing they stand last in both
-- directions, which takes two.
create index vehicles_lot on vehicles (customer_id, organization_id, lot_id);
create index vehicles_latest on vehicles (customer_id, updated_at, id) include (organization_id, status);
create index vehicles_status on vehicles (customer_id, status, price_cents desc nulls last, id desc) include (organization_id, updated_at);
create index vehicles_name on vehicles (customer_id, name_key, id) include (organization_id, status);
create index vehicles_stock on vehicles (customer_id, stock_key, id) include (organization_id, status);
create index vehicles_price on vehicles (customer_id, price_cents, id) include (organization_id, status);
create index vehicles_price_down on vehicles (customer_id, price_cents desc nulls last, id desc) include (organization_id, status);
create index vehicles_waiting on vehicles (customer_id, waits_since, id) include (organization_id, status);
create index vehicles_waiting_down on vehicles (customer_id, waits_since desc nulls last, id desc) include (organization_id, status);

create trigger touch before update on vehicles for each row execute function touch_row('stock_key', 'name_key', 'waits_since');
call protect_tenant_table('vehicles', array['id'], by_organization => true);
