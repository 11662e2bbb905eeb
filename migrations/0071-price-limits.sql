-- Beyond these limits a price is applied only after a user confirms it, whether it comes from a feed, the grid or a form:
-- {"changePercent", "stockPercent", "minCents", "maxCents"}, part of the customer's details. Amounts are cents.
alter table customers add column price_limits jsonb not null
  default '{"changePercent": 30, "stockPercent": 10, "minCents": 50000, "maxCents": 100000000}'
  check (jsonb_typeof(price_limits) = 'object');
grant update (price_limits) on customers to forecourt_app;
