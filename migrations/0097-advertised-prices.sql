-- What a channel's price field means to its receiver, and where the receiver says that it adds fees itself.
alter table channels add column price_meaning text not null default 'total' check (price_meaning in ('total', 'without-fees', 'both'));
alter table channels add column price_note text;

-- The prices in the file of a run, until the run ends. A delivered file's prices become advertised prices.
create table channel_run_prices (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  run_id bigint not null,
  vehicle_id bigint not null,
  organization_id bigint not null,
  vin text,
  stock text,
  title text not null,
  price_cents bigint not null,
  selling_cents bigint not null,
  total_cents bigint not null,
  currency text not null,
  law text not null,
  sentence text,
  -- The fees in the total: [{"name", "class", "cents"}].
  fees jsonb not null check (jsonb_typeof(fees) = 'array'),
  primary key (customer_id, run_id, vehicle_id),
  foreign key (customer_id, run_id) references channel_runs (customer_id, id) on delete cascade
);
call protect_tenant_table('channel_run_prices', array['run_id', 'vehicle_id'], by_organization => true,
  operations => 'select, insert, delete', audited => false);

-- Which price was advertised for a vehicle, where and when. Kept two years after it ended, also after the vehicle or the
-- channel is deleted, so there are no foreign keys to them.
create table advertised_prices (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint not null,
  vehicle_id bigint not null,
  vin text,
  stock text,
  title text not null,
  channel_id bigint not null,
  channel_name text not null,
  price_meaning text not null,
  price_cents bigint not null,
  selling_cents bigint not null,
  total_cents bigint not null,
  currency text not null,
  law text not null,
  sentence text,
  fees jsonb not null check (jsonb_typeof(fees) = 'array'),
  from_at timestamptz not null default app_now(),
  -- Null: still advertised.
  until_at timestamptz,
  primary key (customer_id, id)
);
create unique index advertised_prices_current on advertised_prices (customer_id, channel_id, vehicle_id) where until_at is null;
create index advertised_prices_of_vehicle on advertised_prices (customer_id, vehicle_id, from_at desc);
create index advertised_prices_of_vin on advertised_prices (customer_id, vin) where vin is not null;
create index advertised_prices_newest on advertised_prices (customer_id, from_at desc, id desc);
create index advertised_prices_ended on advertised_prices (until_at) where until_at is not null;
call protect_tenant_table('advertised_prices', array['id'], by_organization => true,
  operations => 'select, insert, update', audited => false);
-- Deletes what is older than two years.
create policy queue on advertised_prices to forecourt_jobs using (true) with check (true);
grant select, delete on advertised_prices to forecourt_jobs;
