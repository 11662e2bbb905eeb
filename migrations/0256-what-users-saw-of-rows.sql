-- What the user saw of a row when a bulk change was started, such as its price: a row with another value by then is left as it is
-- (docs/decisions/0278-bulk-changes-of-prices.md).
alter table job_rows add column seen jsonb;
