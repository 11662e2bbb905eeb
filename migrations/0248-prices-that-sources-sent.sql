-- A price that a person set stays until its source sends another figure than before. So the figure is stored: what the source sent
-- last, and what it had sent when the price was set or confirmed. 0: it sent no price.
alter table vehicles
  add column source_price_cents bigint check (source_price_cents >= 0),
  add column seen_source_price_cents bigint check (seen_source_price_cents >= 0),
  -- The source sent another figure since a person set the price, and it was not decided yet.
  add column asks_price boolean not null generated always as (
    'price' = any(locked) and source_price_cents is not null and seen_source_price_cents is not null
    and source_price_cents <> seen_source_price_cents and source_price_cents <> coalesce(price_cents, 0)
  ) stored;
create index vehicles_asks_price on vehicles (customer_id, updated_at, id) include (organization_id, lot_id) where asks_price;

create or replace function touch_vehicle() returns trigger language plpgsql as $$
declare
  seen vehicles := new;
begin
  -- A person who sets, locks or unlocks the price knows what the source sent.
  if new.seen_source_price_cents is not distinct from old.seen_source_price_cents
    and (new.price_cents is distinct from old.price_cents or ('price' = any(new.locked)) <> ('price' = any(old.locked))) then
    new.seen_source_price_cents := new.source_price_cents;
  end if;
  -- Generated columns are not made yet in `new`, and follow from the others.
  seen.stock_key := old.stock_key;
  seen.name_key := old.name_key;
  seen.waits_since := old.waits_since;
  seen.photo_count := old.photo_count;
  seen.completeness := old.completeness;
  seen.publishable := old.publishable;
  seen.asks_price := old.asks_price;
  seen.row_fingerprint := old.row_fingerprint;
  seen.feed_source_id := old.feed_source_id;
  seen.missing_runs := old.missing_runs;
  seen.removed_from := old.removed_from;
  seen.source_price_cents := old.source_price_cents;
  seen.seen_source_price_cents := old.seen_source_price_cents;
  if seen is distinct from old then
    new.version := old.version + 1;
    new.updated_at := public.app_now();
    new.updated_by := nullif(current_setting('app.actor_name', true), '');
  end if;
  return new;
end
$$;

alter table feed_run_rows
  -- What the row sends as the price; 0: none. Null: its feed has no price.
  add column source_price_cents bigint,
  -- The vehicle's price was set by a person, and the feed sends another figure than before.
  add column asks_price boolean not null default false,
  add column own_price_cents bigint,
  add column sent_price_cents bigint,
  add column price_answer text check (price_answer in ('take', 'keep'));
create index feed_run_rows_asks_price on feed_run_rows (customer_id, run_id, id) where asks_price;

-- These are no edits: versions, update times and the audit log stay as they are.
alter table vehicles disable trigger user;
update vehicles set source_price_cents = price_cents, seen_source_price_cents = price_cents
  where provenance @> '[{"source": "feed", "fields": ["price"]}]' and price_cents is not null;
update vehicles v set source_price_cents = r.cents, seen_source_price_cents = r.cents
from (select distinct on (t.customer_id, t.vehicle_id) t.customer_id, t.vehicle_id, (t.after ->> 'price')::bigint as cents
  from feed_run_rows t where t.state = 'applied' and t.vehicle_id is not null and jsonb_exists(t.after, 'price') and t.after ->> 'price' is not null
  order by t.customer_id, t.vehicle_id, t.run_id desc, t.id desc) r
where v.customer_id = r.customer_id and v.id = r.vehicle_id and v.source_price_cents is null;
alter table vehicles enable trigger user;
