-- While a price rule depends on the date, all prices of the customer are calculated again at midnight. Noted once per customer:
-- as a boundary of each price, it was written to every vehicle of the customer, every day (docs/decisions/0172-repricing-by-condition.md).
alter table price_states
  -- The next midnight in the customer's time zone while a condition of an active rule depends on the date; null: none does.
  add column dates_until timestamptz;
