-- A lower mileage than before waits until a person decides. `source_mileage` is what the row sends; null: it isn't lower.
alter table feed_run_rows
  add column own_mileage integer,
  add column source_mileage integer;
create index feed_run_rows_lower_mileage on feed_run_rows (customer_id, run_id, id) where source_mileage is not null;
