-- The public site advertises prices too, from the second it shows them (docs/decisions/0173-proof-of-every-price.md).
-- Null: the vehicle's page on the public site.
alter table advertised_prices alter column channel_id drop not null;
create unique index advertised_prices_on_site on advertised_prices (customer_id, vehicle_id) where until_at is null and channel_id is null;

-- A new public domain shows all prices; after the last one is gone, none is shown.
create function note_site_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  owner constant bigint := coalesce(new.customer_id, old.customer_id);
begin
  if exists (select from white_labels where customer_id = owner and purpose = 'public' and verified_at is not null) then
    insert into price_requests (customer_id) values (owner);
  else
    update advertised_prices set until_at = app_now() where customer_id = owner and channel_id is null and until_at is null;
  end if;
  return null;
end
$$;
create trigger site_prices_added after insert on white_labels for each row
  when (new.purpose = 'public') execute function note_site_prices();
create trigger site_prices_changed after update on white_labels for each row
  when ((old.purpose, old.verified_at) is distinct from (new.purpose, new.verified_at)) execute function note_site_prices();
create trigger site_prices_removed after delete on white_labels for each row
  when (old.purpose = 'public') execute function note_site_prices();

-- The page of a deleted vehicle is gone.
create function end_site_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update advertised_prices a set until_at = app_now() from old_rows o
  where a.customer_id = o.customer_id and a.vehicle_id = o.id and a.channel_id is null and a.until_at is null;
  return null;
end
$$;
create trigger site_prices_delete after delete on vehicles referencing old table as old_rows
  for each statement execute function end_site_prices();

-- The prices that sites show now.
insert into price_requests (customer_id)
select distinct customer_id from white_labels where purpose = 'public' and verified_at is not null;
