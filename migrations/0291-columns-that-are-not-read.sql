-- The columns of a file that its mapping doesn't use: they are named, so that nobody has to guess what was left out.
alter table feed_runs add column unused_columns text[] not null default '{}';
