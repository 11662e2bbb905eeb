-- What only a person knows about a file: unknown words of its status column, dates that may be two days, a price that may be the
-- MSRP. The answers of the last applied file of a source are used for the next one. `notes`: how the file was read.
alter table feed_runs
  add column questions jsonb not null default '[]',
  add column answers jsonb not null default '{}',
  add column notes text[] not null default '{}';
