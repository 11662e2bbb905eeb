-- Feeds that come by themselves: fetched when they are due, pushed to an address, or attached to a mail.
alter table feed_sources drop constraint feed_sources_kind_check;
alter table feed_sources
  -- When it is due and what went wrong is no change of the source: it stands in feed_source_states.
  drop column settings,
  drop column schedule,
  drop column next_run_at,
  drop column last_problem,
  add constraint feed_sources_kind_check check (kind in ('upload', 'https', 'sftp', 'ftps', 'ftp', 'api', 'mail')),
  add column host text,
  add column port integer check (port between 1 and 65535),
  add column remote_path text,
  add column user_name text,
  -- Sealed for the place it was given for.
  add column secret_sealed text,
  add column every_hours integer check (every_hours between 1 and 168),
  -- In the zone of the customer.
  add column daily_at text check (daily_at ~ '^\d\d:\d\d$'),
  -- Whether a run that nothing holds is applied without anybody.
  add column applies text not null default 'ask' check (applies in ('ask', 'byItself')),
  -- Of the word that opens its address: the word itself is shown once and kept nowhere.
  add column token_hash text,
  -- Whose mails are taken; empty: everybody's who knows the address.
  add column senders text[] not null default '{}',
  add check (num_nonnulls(every_hours, daily_at) <= 1);
create or replace trigger touch before update on feed_sources for each row
  execute function touch_row('name_key', 'last_row_count', 'last_run_at');

-- When a source is due, whose turn it is, and what went wrong last.
create table feed_source_states (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  source_id bigint not null,
  -- Null: when somebody asks for it.
  next_run_at timestamptz,
  asked_by text,
  -- Which server works on it, and until when nobody else may.
  lease uuid,
  leased_until timestamptz,
  -- How often in a row it went wrong.
  failures integer not null default 0,
  -- The key an SFTP server showed first, and which server that was.
  host_key text,
  host_key_of text,
  last_problem text,
  -- When its owner was told of the problem; null: not yet.
  told_at timestamptz,
  primary key (customer_id, source_id),
  foreign key (customer_id, source_id) references feed_sources (customer_id, id) on delete cascade
);
create index feed_source_states_due on feed_source_states (customer_id, next_run_at) where next_run_at is not null;
call protect_tenant_table('feed_source_states', array['source_id'], audited => false);
create policy queue on feed_source_states to forecourt_jobs using (true) with check (true);
grant select, update on feed_source_states to forecourt_jobs;

-- Each time a file came by itself, or should have.
create table feed_arrivals (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  source_id bigint not null,
  state text not null default 'running' check (state in ('running', 'brought', 'unchanged', 'failed')),
  -- Null: the schedule, or whoever sent it.
  asked_by text,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  file_name text,
  -- Of a mail: what tells this attachment from others, so that a mail that is told twice is taken once.
  mail_key text,
  -- The run it became, or the one that had the same file.
  run_id bigint,
  said text,
  primary key (customer_id, id),
  foreign key (customer_id, source_id) references feed_sources (customer_id, id) on delete cascade
);
create index feed_arrivals_latest on feed_arrivals (customer_id, source_id, id desc);
create unique index feed_arrivals_mail on feed_arrivals (customer_id, source_id, mail_key) where mail_key is not null;
call protect_tenant_table('feed_arrivals', array['id'], audited => false);

-- Whether nobody brought it, and whether the job that reads it applies it, unless something holds it.
alter table feed_runs
  add column comes_itself boolean not null default false,
  add column applies_itself boolean not null default false;

-- A job that stopped tells its run, and one that read what came by itself its source.
create or replace function stop_feed_run() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.feed_source_states s set last_problem = coalesce(new.error, 'Reading the file was cancelled.')
  from public.feed_runs r
  where r.customer_id = new.customer_id and r.job_id = new.id and r.status = 'reading' and new.state = 'failed'
    and r.comes_itself and s.customer_id = r.customer_id and s.source_id = r.source_id;
  update public.feed_runs set
    status = case when status = 'reading' then new.state else 'applied' end,
    error = case when status = 'reading' then new.error
      when status = 'applying' then coalesce(new.error, 'It was cancelled before its end.')
      else coalesce(new.error, 'Undoing it was cancelled before its end.') end
  where customer_id = new.customer_id and job_id = new.id and status in ('reading', 'applying', 'undoing');
  return null;
end
$$;
