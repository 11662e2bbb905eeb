-- What buyers pay for each vehicle: a stored copy of the evaluated price, so that lists can show, sort and filter it
-- (docs/decisions/0113-stored-selling-prices.md). One row per vehicle, apart from the vehicles: calculating a million prices
-- again must not write a million wide rows and their indexes.
create table vehicle_prices (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  vehicle_id bigint not null,
  organization_id bigint not null,
  -- Integer cents in the customer's currency; null without a price, and once the vehicle is gone.
  selling_cents bigint,
  total_cents bigint,
  -- The rules that changed the price.
  rule_ids bigint[] not null default '{}',
  -- When the price may change next; '-infinity' until it was first calculated, null if time changes nothing.
  valid_until timestamptz,
  primary key (customer_id, vehicle_id)
);
create index vehicle_prices_due on vehicle_prices (customer_id, valid_until) where valid_until is not null;
create index vehicle_prices_selling on vehicle_prices (customer_id, selling_cents, vehicle_id) include (organization_id);
create index vehicle_prices_selling_down on vehicle_prices (customer_id, selling_cents desc nulls last, vehicle_id desc) include (organization_id);
create index vehicle_prices_total on vehicle_prices (customer_id, total_cents, vehicle_id) include (organization_id);
create index vehicle_prices_total_down on vehicle_prices (customer_id, total_cents desc nulls last, vehicle_id desc) include (organization_id);
call protect_tenant_table('vehicle_prices', array['vehicle_id'], by_organization => true, operations => 'select, update', audited => false);
create policy queue on vehicle_prices to forecourt_jobs using (true);
grant select (customer_id, valid_until) on vehicle_prices to forecourt_jobs;

-- The former prices, with the rules behind each: [{"id", "name"}]. Kept after the vehicle is deleted, like its history.
create table vehicle_price_history (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  vehicle_id bigint not null,
  at timestamptz not null default app_now(),
  selling_cents bigint,
  total_cents bigint,
  rules jsonb not null default '[]' check (jsonb_typeof(rules) = 'array'),
  primary key (customer_id, id)
);
create index vehicle_price_history_vehicle on vehicle_price_history (customer_id, vehicle_id, at, id);
call protect_tenant_table('vehicle_price_history', array['id'], by_organization => true, operations => 'select, insert', audited => false);

-- Prices to calculate again, written by the triggers below in the transaction of each change. Only added to and deleted from,
-- so that changes never wait for each other here.
create table price_requests (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  -- Null: all vehicles of the customer.
  vehicle_id bigint,
  primary key (customer_id, id)
);
call protect_tenant_table('price_requests', array['id'], operations => 'select, delete', audited => false);
create policy queue on price_requests to forecourt_jobs using (true);
grant select (customer_id) on price_requests to forecourt_jobs;

-- Per customer: the lease of the server that calculates prices, and how far it is with all of them.
create table price_states (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  -- After a failure: when it is tried again.
  next_run_at timestamptz not null default '-infinity',
  lease uuid,
  leased_until timestamptz,
  failures integer not null default 0,
  -- While all prices are calculated: the last vehicle that is done.
  after_vehicle bigint,
  primary key (customer_id)
);
call protect_tenant_table('price_states', array['customer_id'], operations => 'select, update', audited => false);
create policy queue on price_states to forecourt_jobs using (true) with check (true);
grant select, update on price_states to forecourt_jobs;
create function add_price_state() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into price_states (customer_id) values (new.id);
  return null;
end
$$;
create trigger price_state after insert on customers for each row execute function add_price_state();
insert into price_states (customer_id) select id from customers;

create function keep_vehicle_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_prices (customer_id, vehicle_id, organization_id, valid_until)
    select customer_id, id, organization_id, '-infinity' from new_rows;
  elsif tg_op = 'DELETE' then
    delete from vehicle_prices p using old_rows o where p.customer_id = o.customer_id and p.vehicle_id = o.id;
  else
    with changed as (
      select n.customer_id, n.id, n.organization_id, n.organization_id <> o.organization_id as is_moved from new_rows n
      join old_rows o on o.customer_id = n.customer_id and o.id = n.id and o.version <> n.version
    ), moved as (
      update vehicle_prices p set organization_id = c.organization_id from changed c
      where c.is_moved and p.customer_id = c.customer_id and p.vehicle_id = c.id
    )
    insert into price_requests (customer_id, vehicle_id) select customer_id, id from changed;
  end if;
  return null;
end
$$;
create trigger prices_insert after insert on vehicles referencing new table as new_rows
  for each statement execute function keep_vehicle_prices();
create trigger prices_update after update on vehicles referencing old table as old_rows new table as new_rows
  for each statement execute function keep_vehicle_prices();
create trigger prices_delete after delete on vehicles referencing old table as old_rows
  for each statement execute function keep_vehicle_prices();
insert into vehicle_prices (customer_id, vehicle_id, organization_id, valid_until)
select customer_id, id, organization_id, '-infinity' from vehicles;

-- Rules, fees, price laws, time zones and lots decide about the prices of many vehicles.
create function request_all_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into price_requests (customer_id) select distinct customer_id from changed_rows;
  return null;
end
$$;
create trigger prices_insert after insert on pricing_rules referencing new table as changed_rows
  for each statement execute function request_all_prices();
create trigger prices_update after update on pricing_rules referencing new table as changed_rows
  for each statement execute function request_all_prices();
create trigger prices_delete after delete on pricing_rules referencing old table as changed_rows
  for each statement execute function request_all_prices();
create trigger prices_update after update on lots referencing new table as changed_rows
  for each statement execute function request_all_prices();
create trigger prices_update after update on organizations referencing new table as changed_rows
  for each statement execute function request_all_prices();

create function request_customer_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into price_requests (customer_id) values (new.id);
  return null;
end
$$;
create trigger prices_update after update on customers for each row
  when ((old.fees, old.price_law, old.time_zone) is distinct from (new.fees, new.price_law, new.time_zone))
  execute function request_customer_prices();

-- The clock on a lot's wall as rules see it, 2026-11-24T09:30. It never goes back: while the hour before the end of daylight
-- saving time repeats, it stays at that hour's last minute, so that a rule that ended in it doesn't apply again. Offsets
-- change at quarters of an hour.
create function lot_minute(at timestamptz, zone text) returns text language sql stable parallel safe as $$
  select to_char(max(s at time zone zone), 'YYYY-MM-DD"T"HH24:MI') from unnest(array[at,
    date_bin('15 minutes', at, '2000-01-01Z') - interval '1 minute', date_bin('15 minutes', at, '2000-01-01Z') - interval '16 minutes',
    date_bin('15 minutes', at, '2000-01-01Z') - interval '31 minutes', date_bin('15 minutes', at, '2000-01-01Z') - interval '46 minutes']) s
$$;

-- The first moment at which lot_minute is this minute or a later one.
create function lot_moment(minute text, zone text) returns timestamptz language sql stable parallel safe as $$
  select min(s) from (
    select minute::timestamp at time zone zone - k * interval '15 minutes' from generate_series(0, 8) k
    union all
    select date_bin('15 minutes', minute::timestamp at time zone zone, '2000-01-01Z') - k * interval '15 minutes' from generate_series(-4, 8) k
  ) c (s) where public.lot_minute(s, zone) >= minute
$$;
