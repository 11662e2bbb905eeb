-- Every change says from which address and with which device it was made, not only those of what people may do: whoever turns off
-- a customer, changes where emails go or whose domain it is, is looked for in the same way.
create or replace function audit_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  running_job constant bigint := nullif(current_setting('app.job_id', true), '')::bigint;
  row_customer bigint;
  old_row jsonb;
  new_row jsonb;
  present jsonb;
  row_key text;
begin
  if tg_table_name = 'customers' then
    row_customer := coalesce(new.id, old.id);
  elsif tg_op = 'DELETE' then
    row_customer := old.customer_id;
  else
    row_customer := new.customer_id;
  end if;
  if running_job is not null and exists (select from public.jobs j
    where j.customer_id = row_customer and j.id = running_job and j.state = 'running') then
    return null;
  end if;
  old_row := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  if old_row is not distinct from new_row then
    return null;
  end if;
  present := coalesce(new_row, old_row);
  select string_agg(present ->> key_column, '/') into row_key from unnest(tg_argv) key_column;
  insert into audit_log (customer_id, organization_id, actor_user_id, actor_name, effective_user_id, effective_name,
    endpoint, operation, table_name, row_id, before, after, address, device)
  values (
    row_customer,
    (case tg_table_name when 'organizations' then present ->> 'id' else present ->> 'organization_id' end)::bigint,
    nullif(current_setting('app.actor_user_id', true), '')::bigint,
    nullif(current_setting('app.actor_name', true), ''),
    nullif(current_setting('app.effective_user_id', true), '')::bigint,
    nullif(current_setting('app.effective_name', true), ''),
    nullif(current_setting('app.endpoint', true), ''),
    lower(tg_op), tg_table_name, row_key, masked(old_row), masked(new_row),
    nullif(current_setting('app.address', true), ''),
    nullif(current_setting('app.device', true), ''));
  return null;
end
$$;

-- Addresses are personal data, so they are forgotten with the sign-ins, after 400 days. What was changed stays.
create index audit_log_addresses on audit_log (at) where address is not null and operation <> 'event';
create or replace function forget_sign_ins() returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from public.audit_log where table_name = 'sign_ins' and (at < public.app_now() - interval '400 days'
    or (after ->> 'outcome' = 'failed' and at < public.app_now() - interval '90 days'));
  delete from public.audit_log where table_name in ('refusals', 'strangers') and at < public.app_now() - interval '90 days';
  update public.audit_log set address = null, device = null
    where address is not null and operation <> 'event' and at < public.app_now() - interval '400 days'
$$;
