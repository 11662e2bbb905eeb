-- What a file looked like: its format and its columns. The next file of the same source is read like the last applied one, and
-- is held for review if it looks different.
alter table feed_runs
  add column format text check (format in ('csv', 'xml', 'json')),
  add column columns text[],
  -- Rows that the feed itself leaves out, such as those it marks as deleted or sold. They are not rejected.
  add column left_out_count integer not null default 0 check (left_out_count >= 0);
create index feed_runs_applied on feed_runs (customer_id, source_id, applied_at desc) where status = 'applied';

alter table feed_run_rows
  drop constraint feed_run_rows_kind_check,
  add constraint feed_run_rows_kind_check check (kind in ('new', 'changed', 'missing', 'refused', 'same', 'leftOut'));

-- Vehicles that neither a VIN nor a stock number identifies: their feed is compared with all of them on the lot.
create index vehicles_without_number on vehicles (customer_id, lot_id, year, make, model) where vin is null and stock_key is null;
