-- What other sites answered when the target of a short URL was checked, and when it is checked again
-- (docs/decisions/0266-targets-of-short-urls-are-checked.md). One row per short URL that leads to a web address.
create table short_url_checks (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  short_url_id bigint not null,
  url text not null,
  host text not null,
  next_check_at timestamptz not null default app_clock_timestamp(),
  -- Checks that failed since the last that didn't.
  failures integer not null default 0,
  checked_at timestamptz,
  answer text check (answer in ('ok', 'elsewhere', 'refused', 'gone', 'failed', 'certificate', 'unreachable')),
  -- Of HTTP; null if there was no answer.
  status integer,
  -- The site that answered, if it is another one.
  redirected_to text,
  -- Why there was no answer.
  reason text,
  -- The first of the checks in a row with this answer and status.
  since timestamptz,
  primary key (customer_id, short_url_id),
  foreign key (customer_id, short_url_id) references short_urls (customer_id, id) on delete cascade,
  check ((answer is null) = (checked_at is null) and (answer is null) = (since is null))
);
create index short_url_checks_due on short_url_checks (next_check_at);
call protect_tenant_table('short_url_checks', array['short_url_id'], operations => 'select', audited => false);
create policy queue on short_url_checks to forecourt_jobs using (true) with check (true);
grant select, update on short_url_checks to forecourt_jobs;

-- A new or changed target is checked soon. What was answered for another one is forgotten.
create function request_short_url_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.url is null then
    delete from short_url_checks where customer_id = new.customer_id and short_url_id = new.id;
    return null;
  end if;
  insert into short_url_checks (customer_id, short_url_id, url, host)
    values (new.customer_id, new.id, new.url, lower(substring(new.url from '^https://([^/?#:]+)')))
    on conflict (customer_id, short_url_id) do update set url = excluded.url, host = excluded.host, next_check_at = excluded.next_check_at,
      failures = 0, checked_at = null, answer = null, status = null, redirected_to = null, reason = null, since = null;
  return null;
end
$$;
create trigger check_added after insert on short_urls for each row when (new.url is not null) execute function request_short_url_check();
create trigger check_changed after update on short_urls for each row when (new.url is distinct from old.url)
  execute function request_short_url_check();

-- Those of before, spread over an hour.
insert into short_url_checks (customer_id, short_url_id, url, host, next_check_at)
  select customer_id, id, url, lower(substring(url from '^https://([^/?#:]+)')), app_clock_timestamp() + (id % 3600) * interval '1 second'
  from short_urls where url is not null;
