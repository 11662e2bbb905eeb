-- Recurring work, one row for each schedule. The server that runs one holds its lease. Replaces the tables of pg-boss.
set role forecourt_jobs;
drop schema pgboss cascade;
reset role;
create schema queue;
create table queue.schedules (
  name text primary key,
  every_minutes int not null,
  next_run_at timestamptz not null,
  lease uuid,
  leased_until timestamptz,
  failures int not null default 0
);
grant usage on schema queue to forecourt_jobs;
grant select, insert, update, delete on queue.schedules to forecourt_jobs;

-- Emails are leased while they are sent, like jobs: a second server skips them, and a killed one loses none.
alter table outbox_mails add column lease uuid, add column leased_until timestamptz;

-- American spelling in stored appearances.
update iam.appearances set appearance = (appearance - 'headerColour') || jsonb_build_object('headerColor', appearance -> 'headerColour')
  where appearance ? 'headerColour';
