-- Whether buyers can see a vehicle. Everything that depends on its own row is stored, so that the list, its counts and the
-- dashboard can use an index. The lot's visibility is not: a customer has few lots, and one may be hidden at any time.

-- Whether there is a photo that isn't a provider's placeholder. The pattern is also in
-- contract/inventory/channels/listings/vehicle-listing.ts; a test compares them.
create function has_real_photo(photos jsonb) returns boolean language sql immutable parallel safe as $$
  select jsonb_path_exists(photos, '$[*] ? (!(@.place like_regex "coming([-_ ]|%20)*soon|no[-_ ]?(image|photo|picture|pic([^a-z0-9_]|$))|place[-_ ]?holder|not[-_ ]?available|awaiting|image[-_ ]?missing|default[-_ ](car|vehicle)" flag "i"))')
$$;

alter table vehicles add column publishable boolean not null generated always as (
  status = 'live' and price_cents is not null and price_cents > 0
  and year is not null and make is not null and model is not null and has_real_photo(photos)
) stored;
create index vehicles_publishable on vehicles (customer_id, updated_at, id) include (organization_id, lot_id) where publishable;

create or replace function touch_vehicle() returns trigger language plpgsql as $$
declare
  seen vehicles := new;
begin
  -- Generated columns are not made yet in `new`, and follow from the others.
  seen.stock_key := old.stock_key;
  seen.name_key := old.name_key;
  seen.waits_since := old.waits_since;
  seen.photo_count := old.photo_count;
  seen.completeness := old.completeness;
  seen.publishable := old.publishable;
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
