-- What others say a vehicle is worth, who publishes it and as of which day: to price by, never a price for buyers.
-- Amounts are integer cents in the customer's currency.
alter table vehicles
  add column market_price_cents bigint check (market_price_cents >= 0),
  add column market_price_source text,
  add column market_price_on date,
  add column book_value_cents bigint check (book_value_cents >= 0),
  add column book_value_source text,
  add column book_value_on date;
