-- What the customer's counsel says about a price law from a day on, in place of the built-in reading:
-- [{"law", "from", "includes", "deductsRebates", "sentence", "source"}].
alter table customers add column price_profiles jsonb not null default '[]' check (jsonb_typeof(price_profiles) = 'array');
grant update (price_profiles) on customers to forecourt_app;

drop trigger prices_update on customers;
create trigger prices_update after update on customers for each row
  when ((old.fees, old.price_law, old.price_profiles, old.time_zone)
    is distinct from (new.fees, new.price_law, new.price_profiles, new.time_zone))
  execute function request_customer_prices();
