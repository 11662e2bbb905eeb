-- A price that a person set for one vehicle only, until a minute and for a reason. It replaces what rules make of the vehicle's
-- price, and afterwards they apply again.
create table vehicle_special_prices (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  vehicle_id bigint not null,
  organization_id bigint not null,
  -- Integer cents in the customer's currency.
  cents bigint not null check (cents > 0),
  -- In the lot's time zone, 2026-12-01T00:00; null: until it is ended.
  until_minute text check (until_minute ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
  reason text not null check (reason <> ''),
  set_at timestamptz not null default app_now(),
  set_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, vehicle_id),
  foreign key (customer_id, vehicle_id) references vehicles (customer_id, id) on delete cascade
);
call protect_tenant_table('vehicle_special_prices', array['vehicle_id'], by_organization => true);

create function request_special_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into price_requests (customer_id, vehicle_id) select customer_id, vehicle_id from changed_rows;
  return null;
end
$$;
create trigger prices_insert after insert on vehicle_special_prices referencing new table as changed_rows
  for each statement execute function request_special_prices();
create trigger prices_update after update on vehicle_special_prices referencing new table as changed_rows
  for each statement execute function request_special_prices();
create trigger prices_delete after delete on vehicle_special_prices referencing old table as changed_rows
  for each statement execute function request_special_prices();

-- A vehicle that moves to another organization takes its special price along.
create or replace function keep_vehicle_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
    ), moved_specials as (
      update vehicle_special_prices s set organization_id = c.organization_id from changed c
      where c.is_moved and s.customer_id = c.customer_id and s.vehicle_id = c.id
    )
    insert into price_requests (customer_id, vehicle_id) select customer_id, id from changed;
  end if;
  return null;
end
$$;
