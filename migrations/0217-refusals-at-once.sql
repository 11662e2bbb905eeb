-- Refusals of one account or person that are noted at once are counted one after the other, so that their limit holds.
create or replace function note_refusal(entry jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  minute constant text := to_char(public.app_now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI');
  of_customer constant bigint := (entry ->> 'customer_id')::bigint;
  from_address text := coalesce(entry ->> 'address', '');
  called text := entry ->> 'endpoint';
  told jsonb := entry -> 'after';
  addresses integer;
  calls integer;
  is_known_address boolean;
  is_known_call boolean;
begin
  -- Several at once would all be below the limit.
  perform pg_advisory_xact_lock(hashtextextended('refusals ' || of_customer || ' ' || coalesce(entry ->> 'row_id', ''), 0));
  select count(distinct a.address), count(*), coalesce(bool_or(a.address = from_address), false),
    coalesce(bool_or(a.endpoint = called), false) into addresses, calls, is_known_address, is_known_call
  from public.audit_log a
  where a.customer_id = of_customer and a.table_name = 'refusals' and a.row_id = entry ->> 'row_id'
    and a.after ->> 'minute' = minute;
  if addresses >= 20 and not is_known_address then
    from_address := 'Other addresses';
    entry := entry - 'device';
  elsif calls >= 20 and not is_known_call then
    called := null;
    told := told || jsonb_build_object('message', 'Other calls were refused as well.');
  end if;
  insert into public.audit_log (customer_id, organization_id, actor_user_id, actor_name, effective_user_id, effective_name,
    endpoint, operation, table_name, row_id, after, address, device)
  values (of_customer, (entry ->> 'organization_id')::bigint, (entry ->> 'actor_user_id')::bigint, entry ->> 'actor_name',
    (entry ->> 'effective_user_id')::bigint, entry ->> 'effective_name', called, 'event', 'refusals',
    entry ->> 'row_id', told || jsonb_build_object('minute', minute), from_address, entry ->> 'device')
  on conflict (customer_id, row_id, (after ->> 'minute'), address, coalesce(endpoint, '')) where table_name = 'refusals'
  do update set
    after = excluded.after || jsonb_build_object('times', (audit_log.after ->> 'times')::int + (excluded.after ->> 'times')::int,
      'last', public.app_now());
end
$$;
