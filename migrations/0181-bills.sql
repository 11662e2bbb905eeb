-- A bill that came from a file: what it cost, whole, and credits.

-- What the bill cost, in the currency of the organization. It isn't used in calculations.
alter table activity_records add column cost numeric(18, 4);

-- A record below 0 is a credit, which says what it corrects.
alter table activity_records drop constraint activity_records_quantity_check;
alter table activity_records add constraint activity_records_credit
  check (quantity >= 0 or (kind in ('calculated', 'own_factor') and comment is not null));

-- Saved lines are kept as they were too: their other columns belong to the record. The version is the one that the line
-- became: above 1, it corrected an earlier record of the same bill number.
alter table activity_import_lines drop constraint activity_import_lines_check;
alter table activity_import_lines add constraint activity_import_lines_kept
  check (record_id is not null or (cells is not null and reasons is not null));
alter table activity_import_lines add column record_version integer not null default 1;

-- A table with a column for each month has several bills in a line: each has its place.
alter table activity_import_lines add column place integer not null default 0;
alter table activity_import_lines drop constraint activity_import_lines_pkey;
alter table activity_import_lines add primary key (customer_id, import_id, line, place);
