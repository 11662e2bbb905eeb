-- The status that a person gave a vehicle, and that a row of a file replaces: because the file says that it was sold, or a person chose the file's.
alter table feed_run_rows add column over_status text;
