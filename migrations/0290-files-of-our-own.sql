-- A file that the product exported without a status changes none: what was removed stays removed.
alter table feed_runs add column keeps_status boolean not null default false;
-- The lot to which a vehicle moves because a file lists it there, after a person said so.
alter table feed_run_rows add column to_lot_id bigint;
