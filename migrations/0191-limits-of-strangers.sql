-- Limits that strangers reached are in the customer's security log: one entry for each kind, hour and network, with a count. From
-- the fifth network of an hour on, the others share one entry, so that no one can fill the log
-- (docs/decisions/0211-turns-of-customers-and-guessed-links.md).
create unique index audit_log_strangers on audit_log (customer_id, row_id, (after ->> 'hour'), address)
  where table_name = 'strangers';
create index audit_log_strangers_at on audit_log (at) where table_name = 'strangers';

-- `entry`: the customer, if what was sent names one, otherwise the host; the kind, the network, the call, and in `after` the event,
-- what the stranger was told, and how many times. What belongs to no customer is in the platform's log.
create function note_stranger_limit(entry jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  hour constant text := to_char(public.app_now() at time zone 'UTC', 'YYYY-MM-DD HH24');
  of_customer constant bigint := coalesce(
    (select c.id from public.customers c where c.id = (entry ->> 'customer_id')::bigint),
    (select w.customer_id from public.white_labels w where w.domain = entry ->> 'host' and w.verified_at is not null),
    (select c.id from public.customers c where c.is_platform order by c.id limit 1));
  from_network text := coalesce(entry ->> 'network', '');
  networks integer;
  is_known boolean;
begin
  -- An installation that isn't set up has no log.
  if of_customer is null then return; end if;
  select count(*), coalesce(bool_or(a.address = from_network), false) into networks, is_known from public.audit_log a
  where a.customer_id = of_customer and a.table_name = 'strangers' and a.row_id = entry ->> 'kind' and a.after ->> 'hour' = hour;
  if networks >= 5 and not is_known then
    from_network := 'Other networks';
  end if;
  insert into public.audit_log (customer_id, endpoint, operation, table_name, row_id, after, address)
  values (of_customer, entry ->> 'endpoint', 'event', 'strangers', entry ->> 'kind',
    (entry -> 'after') || jsonb_build_object('hour', hour), from_network)
  on conflict (customer_id, row_id, (after ->> 'hour'), address) where table_name = 'strangers'
  do update set endpoint = excluded.endpoint,
    after = excluded.after || jsonb_build_object('times', (audit_log.after ->> 'times')::int + (excluded.after ->> 'times')::int,
      'last', public.app_now());
end
$$;
revoke execute on function note_stranger_limit(jsonb) from public;
grant execute on function note_stranger_limit(jsonb) to forecourt_iam;

-- As refused calls, for 90 days.
create or replace function forget_sign_ins() returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from public.audit_log where table_name = 'sign_ins' and (at < public.app_now() - interval '400 days'
    or (after ->> 'outcome' = 'failed' and at < public.app_now() - interval '90 days'));
  delete from public.audit_log where table_name in ('refusals', 'strangers') and at < public.app_now() - interval '90 days'
$$;

-- Guesses are counted in memory now.
delete from iam.request_counts where kind = 'unknown inbound addresses';
