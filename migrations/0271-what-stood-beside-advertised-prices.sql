-- The record of what buyers saw of a price: also offers, disclaimers, and the page or the file, in a canonical form with its
-- SHA-256, so that anyone can verify it (docs/decisions/0292-records-of-what-buyers-saw.md). Null: advertised before this was kept.
alter table channel_run_prices
  add column record text,
  add column record_sha256 text;
alter table advertised_prices
  -- JSON by RFC 8785; see src/contract/pricing/advertised/price-record.ts.
  add column record text,
  add column record_sha256 text,
  add check (record_sha256 is not distinct from encode(sha256(convert_to(record, 'UTF8')), 'hex'));
create index advertised_prices_of_record on advertised_prices (customer_id, record_sha256) where record_sha256 is not null;

-- Sites also show disclaimers.
drop trigger prices_update on customers;
create trigger prices_update after update on customers for each row
  when ((old.fees, old.price_law, old.price_profiles, old.time_zone, old.disclaimers)
    is distinct from (new.fees, new.price_law, new.price_profiles, new.time_zone, new.disclaimers))
  execute function request_customer_prices();

-- What sites show now, with its record.
insert into price_requests (customer_id)
select distinct customer_id from white_labels where purpose = 'public' and verified_at is not null;
