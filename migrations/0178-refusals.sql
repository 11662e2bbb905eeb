-- Refused calls and limits in the security log: one entry for each person, address and minute, with a count. From the 20th address
-- of a minute on they share one entry, so that no attacker can fill the log.
create unique index audit_log_refusals on audit_log (customer_id, row_id, (after ->> 'minute'), address)
  where table_name = 'refusals';
create index audit_log_refusals_at on audit_log (at) where table_name = 'refusals';

-- `entry` has the columns of the log; in `after` the event, what the caller was told, and how many times.
create function note_refusal(entry jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  minute constant text := to_char(public.app_now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI');
  of_customer constant bigint := (entry ->> 'customer_id')::bigint;
  from_address text := coalesce(entry ->> 'address', '');
  addresses integer;
  is_known boolean;
begin
  select count(*), coalesce(bool_or(a.address = from_address), false) into addresses, is_known from public.audit_log a
  where a.customer_id = of_customer and a.table_name = 'refusals' and a.row_id = entry ->> 'row_id'
    and a.after ->> 'minute' = minute;
  if addresses >= 20 and not is_known then
    from_address := 'Other addresses';
    entry := entry - 'device';
  end if;
  insert into public.audit_log (customer_id, organization_id, actor_user_id, actor_name, effective_user_id, effective_name,
    endpoint, operation, table_name, row_id, after, address, device)
  values (of_customer, (entry ->> 'organization_id')::bigint, (entry ->> 'actor_user_id')::bigint, entry ->> 'actor_name',
    (entry ->> 'effective_user_id')::bigint, entry ->> 'effective_name', entry ->> 'endpoint', 'event', 'refusals',
    entry ->> 'row_id', (entry -> 'after') || jsonb_build_object('minute', minute), from_address, entry ->> 'device')
  on conflict (customer_id, row_id, (after ->> 'minute'), address) where table_name = 'refusals'
  do update set endpoint = excluded.endpoint,
    after = excluded.after || jsonb_build_object('times', (audit_log.after ->> 'times')::int + (excluded.after ->> 'times')::int,
      'last', public.app_now());
end
$$;
revoke execute on function note_refusal(jsonb) from public;
grant execute on function note_refusal(jsonb) to forecourt_iam;

-- As failed sign-ins, for 90 days.
create or replace function forget_sign_ins() returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from public.audit_log where table_name = 'sign_ins' and (at < public.app_now() - interval '400 days'
    or (after ->> 'outcome' = 'failed' and at < public.app_now() - interval '90 days'));
  delete from public.audit_log where table_name = 'refusals' and at < public.app_now() - interval '90 days'
$$;
