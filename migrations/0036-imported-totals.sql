-- Totals of years before there was activity, as they were reported: a facility, a source, a period. One stays as it was
-- brought in and is taken out again as a whole; days on which a record stands take its place without a trace here.
create sequence imported_batches;
grant usage on sequence imported_batches to forecourt_app;

create table imported_totals (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  inventory_id bigint not null,
  source_id bigint not null,
  -- What was brought in together is taken back together.
  batch_id bigint not null,
  period_start date not null,
  -- The last day of the period.
  period_end date not null,
  -- kg CO2e, in scope 2 by the location.
  kg numeric(28, 12) not null check (kg >= 0),
  -- Of scope 2, by what was bought; null: the same.
  market_kg numeric(28, 12) check (market_kg >= 0),
  biogenic_kg numeric(28, 12) not null default 0 check (biogenic_kg >= 0),
  -- Where the figure was reported.
  note text,
  -- The source was assigned with it, and goes with it where nothing else hangs on it.
  has_assigned boolean not null default false,
  created_at timestamptz not null default now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  removed_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade,
  constraint imported_totals_days check (period_end >= period_start),
  constraint imported_totals_once exclude using gist (customer_id with =, source_id with =,
    daterange(period_start, period_end, '[]') with &&) where (removed_at is null)
);
create index imported_totals_inventory on imported_totals (customer_id, organization_id, inventory_id);
create index imported_totals_source on imported_totals (customer_id, organization_id, source_id);
create index imported_totals_batch on imported_totals (customer_id, batch_id);
create trigger frozen before insert or update or delete on imported_totals for each row execute function keep_inventory_frozen();
call protect_tenant_table('imported_totals', array['id'], by_organization => true, operations => 'select, insert');
grant update (removed_at) on imported_totals to forecourt_app;
