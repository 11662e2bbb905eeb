-- A price beyond the limits that an automatic feed sends isn't taken: the vehicle keeps its price until a person decides, whether or
-- not a person set that price. So the question no longer depends on a lock: without one, what a feed sends is its price at once,
-- unless it waits for a decision.
alter table vehicles disable trigger user;
update vehicles set seen_source_price_cents = source_price_cents
  where 'price' <> all(locked) and seen_source_price_cents is distinct from source_price_cents and seen_source_price_cents is not null;
alter table vehicles enable trigger user;
alter table vehicles drop column asks_price;
alter table vehicles add column asks_price boolean not null generated always as (
  ('price' = any(locked) or source_price_cents > 0) and source_price_cents is not null and seen_source_price_cents is not null
  and source_price_cents <> seen_source_price_cents and source_price_cents <> coalesce(price_cents, 0)
) stored;
create index vehicles_asks_price on vehicles (customer_id, updated_at, id) include (organization_id, lot_id) where asks_price;
