-- Everything a vehicle page, a feed and a channel say of a vehicle, where each value came from, and which of them nobody
-- but a person may change.
alter table vehicles
  add column doors integer check (doors between 1 and 9),
  add column generic_colour text,
  add column interior_colour text,
  add column engine text,
  add column electrification text check (electrification in ('none', 'mild', 'hybrid', 'plug-in', 'electric', 'fuel-cell')),
  -- Litres for 100 km or miles a gallon, as the customer's unit of distance says.
  add column city_economy numeric(5, 1) check (city_economy > 0),
  add column highway_economy numeric(5, 1) check (highway_economy > 0),
  add column wh_per_mile integer check (wh_per_mile >= 0),
  -- Grams a kilometre.
  add column co2 integer check (co2 >= 0),
  add column options text[] not null default '{}',
  add column description text,
  add column invoice_cents bigint check (invoice_cents >= 0),
  add column feed_price_cents bigint check (feed_price_cents >= 0),
  add column certification text,
  add column page_url text,
  -- In the order in which they are shown: [{"kind": "address" or "file", "place", "alt"}].
  add column photos jsonb not null default '[]' check (jsonb_typeof(photos) = 'array'),
  add column photo_count integer not null generated always as (jsonb_array_length(photos)) stored,
  -- Where values came from, as stamps: [{"source", "by", "at", "run", "fields": [...]}]. A field stands in one stamp at
  -- most. What an import writes at once shares one stamp: a quarter of what a stamp for each field takes.
  add column provenance jsonb not null default '[]' check (jsonb_typeof(provenance) = 'array'),
  -- Fields by their names in the contract that feeds, decoding and mappings leave alone.
  add column locked text[] not null default '{}';

-- How much of what buyers ask for is there, of 100; the weights stand in contract/inventory/vehicles/completeness.ts as well.
alter table vehicles add column completeness integer not null generated always as (
  (vin is not null)::int * 12 + (stock is not null)::int * 3 + (year is not null)::int * 5 + (make is not null)::int * 5
  + (model is not null)::int * 5 + (trim is not null)::int * 4 + (body is not null)::int * 4 + (doors is not null)::int * 2
  + (colour is not null)::int * 4 + (interior_colour is not null)::int * 3 + (mileage is not null)::int * 6
  + (engine is not null)::int * 4 + (fuel is not null)::int * 4 + (transmission is not null)::int * 4
  + (drivetrain is not null)::int * 4 + (cardinality(options) > 0)::int * 5 + (description is not null)::int * 8
  + (price_cents is not null and price_cents > 0)::int * 10 + (jsonb_array_length(photos) > 0)::int * 8
) stored;
create index vehicles_completeness on vehicles (customer_id, completeness, id) include (organization_id, status);

create or replace trigger touch before update on vehicles for each row
  execute function touch_row('stock_key', 'name_key', 'waits_since', 'photo_count', 'completeness');

-- The stamps after `fields` were written under a new one: {"source", "by", "at", "run"}. No two say the same field.
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

-- The fields that are still as this run of a feed left them: those that undoing the run may put back.
create function fields_of_run(provenance jsonb, run bigint) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(f.name), '{}') from jsonb_array_elements(provenance) s
  cross join lateral jsonb_array_elements_text(s -> 'fields') as f (name)
  where s ->> 'run' = run::text
$$;

-- What a vehicle was to cost and where it stood on its way, each time one of the two changed, whoever changed it: jobs and
-- imports leave no entry for each row in the audit log. Kept when the vehicle goes: what was advertised has to be known
-- for two years.
create table vehicle_history (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  vehicle_id bigint not null,
  at timestamptz not null default now(),
  price_cents bigint,
  status text not null,
  by_name text default nullif(current_setting('app.actor_name', true), ''),
  job_id bigint default nullif(current_setting('app.job_id', true), '')::bigint,
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

insert into vehicle_history (customer_id, organization_id, vehicle_id, at, price_cents, status, by_name)
select customer_id, organization_id, id, updated_at, price_cents, status, updated_by from vehicles;
