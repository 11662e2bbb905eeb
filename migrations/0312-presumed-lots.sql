-- The lot of a run was assumed from others, not chosen: it is assumed again when its file is read again.
alter table feed_runs add column lot_presumed boolean not null default false;
