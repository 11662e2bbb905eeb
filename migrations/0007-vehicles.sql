-- A vehicle, where each of its values came from, and which of them only a person may change.
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
  -- Why it is on hold or was returned.
  status_reason text,
  year integer check (year between 1885 and 2100),
  make text,
  model text,
  trim text,
  -- The title by which the list sorts. Never null, so that one index serves both directions. Parts are separated by tabs,
  -- which sort before spaces: every RAV4 comes before the first RAV4 Hybrid.
  name_key text not null generated always as
    (lower(coalesce(make, '') || E'\t' || coalesce(model, '') || E'\t' || coalesce(trim, '') || E'\t' || coalesce(year::text, ''))) stored,
  body text,
  colour text,
  fuel text,
  transmission text,
  drivetrain text,
  -- In the customer's distance unit.
  mileage integer check (mileage >= 0),
  -- Integer cents in the customer's currency.
  price_cents bigint check (price_cents >= 0),
  msrp_cents bigint check (msrp_cents >= 0),
  cost_cents bigint check (cost_cents >= 0),
  in_stock_on date,
  -- Start of the days in stock; null once the vehicle is gone.
  waits_since date generated always as
    (case when status in ('sold', 'archived', 'wholesale', 'removed') then null else in_stock_on end) stored,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  doors integer check (doors between 1 and 9),
  generic_colour text,
  interior_colour text,
  engine text,
  electrification text check (electrification in ('none', 'mild', 'hybrid', 'plug-in', 'electric', 'fuel-cell')),
  -- Liters per 100 km or miles per gallon, depending on the customer's distance unit.
  city_economy numeric(5, 1) check (city_economy > 0),
  highway_economy numeric(5, 1) check (highway_economy > 0),
  wh_per_mile integer check (wh_per_mile >= 0),
  -- Grams per kilometer.
  co2 integer check (co2 >= 0),
  options text[] not null default '{}',
  description text,
  invoice_cents bigint check (invoice_cents >= 0),
  feed_price_cents bigint check (feed_price_cents >= 0),
  certification text,
  page_url text,
  -- In display order: [{"kind": "address" or "file", "place", "alt"}].
  photos jsonb not null default '[]' check (jsonb_typeof(photos) = 'array'),
  photo_count integer not null generated always as (jsonb_array_length(photos)) stored,
  -- Sources of values, as stamps: [{"source", "by", "at", "run", "fields": [...]}]. A field is in one stamp at most. One stamp
  -- for all values an import writes takes a quarter of the space of one per field.
  provenance jsonb not null default '[]' check (jsonb_typeof(provenance) = 'array'),
  -- Contract field names that feeds, VIN decoding and mappings must not change.
  locked text[] not null default '{}',
  -- How complete the details are, out of 100. The weights are also in contract/inventory/vehicles/completeness.ts.
  completeness integer not null generated always as (
  (vin is not null)::int * 12 + (stock is not null)::int * 3 + (year is not null)::int * 5 + (make is not null)::int * 5
  + (model is not null)::int * 5 + (trim is not null)::int * 4 + (body is not null)::int * 4 + (doors is not null)::int * 2
  + (colour is not null)::int * 4 + (interior_colour is not null)::int * 3 + (mileage is not null)::int * 6
  + (engine is not null)::int * 4 + (fuel is not null)::int * 4 + (transmission is not null)::int * 4
  + (drivetrain is not null)::int * 4 + (cardinality(options) > 0)::int * 5 + (description is not null)::int * 8
  + (price_cents is not null and price_cents > 0)::int * 10 + (jsonb_array_length(photos) > 0)::int * 8
) stored,
  -- For imports: the hash of the row it was last written from, the source that lists it, in how many runs it was missing, and
  -- the status it had before it went missing. IDs of deleted sources are never reused.
  row_print text,
  feed_source_id bigint,
  missing_runs smallint not null default 0,
  removed_from text,
  -- Labels that users give, such as "Front line" or "Auction Friday". Feeds don't write them.
  tags text[] not null default '{}' check (cardinality(tags) <= 30),
  -- Valuations by others, their publisher and date: a basis for pricing, never shown to buyers. Integer cents in the
  -- customer's currency.
  market_price_cents bigint check (market_price_cents >= 0),
  market_price_source text,
  market_price_on date,
  book_value_cents bigint check (book_value_cents >= 0),
  book_value_source text,
  book_value_on date,
  -- Values of the custom fields by key: {"custom_keys": "Board 4"}. Fields without a value are left out.
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, lot_id) references lots (customer_id, organization_id, id) on update cascade
);

-- A VIN is on a lot once at a time. It may return after it was sold, and another store's feed may list it for a while.
-- Without a VIN, the stock number identifies the vehicle.
create unique index vehicles_vin on vehicles (customer_id, vin, lot_id)
  where vin is not null and status not in ('sold', 'archived', 'wholesale', 'removed');
create unique index vehicles_stock_without_vin on vehicles (customer_id, lot_id, stock_key)
  where vin is null and status not in ('sold', 'archived', 'wholesale', 'removed');

-- One index for each common sort order. Each includes the organization, so that row level security is answered from the
-- index and only the rows of one page are read. Nullable columns sort last in both directions, which takes two indexes.
create index vehicles_lot on vehicles (customer_id, organization_id, lot_id);
create index vehicles_latest on vehicles (customer_id, updated_at, id) include (organization_id, status);
create index vehicles_status on vehicles (customer_id, status, price_cents desc nulls last, id desc) include (organization_id, updated_at);
create index vehicles_name on vehicles (customer_id, name_key, id) include (organization_id, status);
create index vehicles_stock on vehicles (customer_id, stock_key, id) include (organization_id, status);
create index vehicles_price on vehicles (customer_id, price_cents, id) include (organization_id, status);
create index vehicles_price_down on vehicles (customer_id, price_cents desc nulls last, id desc) include (organization_id, status);
create index vehicles_waiting on vehicles (customer_id, waits_since, id) include (organization_id, status);
create index vehicles_waiting_down on vehicles (customer_id, waits_since desc nulls last, id desc) include (organization_id, status);
call protect_tenant_table('vehicles', array['id'], by_organization => true);
create trigger count_insert after insert on vehicles referencing new table as new_rows for each statement execute function count_rows();
create trigger count_delete after delete on vehicles referencing old table as old_rows for each statement execute function count_rows();
create trigger count_update after update on vehicles referencing old table as old_rows new table as new_rows
  for each statement execute function count_rows();
create index vehicles_completeness on vehicles (customer_id, completeness, id) include (organization_id, status);
create index vehicles_feed on vehicles (customer_id, feed_source_id, id) where feed_source_id is not null;
create index vehicles_vin_gone on vehicles (customer_id, vin)
  where vin is not null and status in ('sold', 'archived', 'wholesale', 'removed');

-- The stamps after `fields` were written with a new one: {"source", "by", "at", "run"}. No two stamps share a field.
create function stamp_fields(provenance jsonb, fields text[], stamp jsonb) returns jsonb language sql immutable parallel safe as $$
  select case when cardinality(fields) = 0 then provenance else coalesce((
    select jsonb_agg(kept.stamp order by kept.place) from (
      select s.place, s.value || jsonb_build_object('fields', jsonb_agg(f.name order by f.place)) as stamp
      from jsonb_array_elements(provenance) with ordinality as s (value, place)
      cross join lateral jsonb_array_elements_text(s.value -> 'fields') with ordinality as f (name, place)
      where f.name <> all(fields)
      group by s.place, s.value) kept), '[]')
    || jsonb_build_array(stamp || jsonb_build_object('fields', to_jsonb(fields))) end
$$;

-- The fields that still have the value this feed run wrote: those that undoing the run may restore.
create function fields_of_run(provenance jsonb, run bigint) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(f.name), '{}') from jsonb_array_elements(provenance) s
  cross join lateral jsonb_array_elements_text(s -> 'fields') as f (name)
  where s ->> 'run' = run::text
$$;

-- Price and status of a vehicle each time one of them changed, whatever changed it: jobs and imports write no audit log
-- entry per row. Kept after the vehicle is deleted, because advertised prices must be known for two years.
create table vehicle_history (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  vehicle_id bigint not null,
  at timestamptz not null default app_now(),
  price_cents bigint,
  status text not null,
  by_name text default nullif(current_setting('app.actor_name', true), ''),
  job_id bigint default nullif(current_setting('app.job_id', true), '')::bigint,
  -- Jobs are deleted after a while, runs are not.
  feed_run_id bigint default nullif(current_setting('app.feed_run_id', true), '')::bigint,
  primary key (customer_id, id)
);
create index vehicle_history_vehicle on vehicle_history (customer_id, vehicle_id, at, id);
call protect_tenant_table('vehicle_history', array['id'], by_organization => true, operations => 'select', audited => false);

create function keep_vehicle_history() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_history (customer_id, organization_id, vehicle_id, at, price_cents, status)
    select customer_id, organization_id, id, created_at, price_cents, status from new_rows;
  else
    insert into vehicle_history (customer_id, organization_id, vehicle_id, price_cents, status)
    select n.customer_id, n.organization_id, n.id, n.price_cents, n.status from new_rows n
    join old_rows o on o.customer_id = n.customer_id and o.id = n.id
    where (o.price_cents, o.status) is distinct from (n.price_cents, n.status);
  end if;
  return null;
end
$$;
create trigger history_insert after insert on vehicles referencing new table as new_rows
  for each statement execute function keep_vehicle_history();
create trigger history_update after update on vehicles referencing old table as old_rows new table as new_rows
  for each statement execute function keep_vehicle_history();

-- The stamps of these fields only.
create function stamps_of(provenance jsonb, fields text[]) returns jsonb language sql immutable parallel safe as $$
  select coalesce((select jsonb_agg(kept.stamp order by kept.place) from (
    select s.place, s.value || jsonb_build_object('fields', jsonb_agg(f.name order by f.place)) as stamp
    from jsonb_array_elements(provenance) with ordinality as s (value, place)
    cross join lateral jsonb_array_elements_text(s.value -> 'fields') with ordinality as f (name, place)
    where f.name = any(fields)
    group by s.place, s.value) kept), '[]')
$$;

-- The stamps after `fields` got their former values and stamps back. Equal stamps are merged.
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

-- Like touch_row, but without converting both rows to JSON, because imports write hundreds of thousands of vehicles: columns
-- that users don't see are set equal before the rows are compared.
create function touch_vehicle() returns trigger language plpgsql as $$
declare
  seen vehicles := new;
begin
  -- Generated columns are not made yet in `new`, and follow from the others.
  seen.stock_key := old.stock_key;
  seen.name_key := old.name_key;
  seen.waits_since := old.waits_since;
  seen.photo_count := old.photo_count;
  seen.completeness := old.completeness;
  seen.row_print := old.row_print;
  seen.feed_source_id := old.feed_source_id;
  seen.missing_runs := old.missing_runs;
  seen.removed_from := old.removed_from;
  if seen is distinct from old then
    new.version := old.version + 1;
    new.updated_at := public.app_now();
    new.updated_by := nullif(current_setting('app.actor_name', true), '');
  end if;
  return new;
end
$$;

create trigger touch before update on vehicles for each row execute function touch_vehicle();
