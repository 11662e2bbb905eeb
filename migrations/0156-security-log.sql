-- The audit log says from which address and with which device people signed in, changed what others may do, and took files out.
alter table audit_log add column address text, add column device text;

create or replace function audit_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  -- From where and with what: only for changes of what people may do, because addresses are personal data.
  about_access constant boolean := tg_table_name in
    ('users', 'user_types', 'user_type_permissions', 'user_permissions', 'memberships');
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
    case when about_access then nullif(current_setting('app.address', true), '') end,
    case when about_access then nullif(current_setting('app.device', true), '') end);
  return null;
end
$$;

-- Delivery is recorded by the email itself. The audit log has one entry for each email, and one for what people change about it.
drop trigger audit on outbox_mails;
create trigger audit after insert or delete on outbox_mails for each row execute function audit_change('id');
create trigger audit_by_user after update on outbox_mails for each row
  when (nullif(current_setting('app.actor_user_id', true), '') is not null) execute function audit_change('id');

-- Failed sign-ins are one entry per user, address and hour, with a count. From the 20th address of an hour on they share one
-- entry, so that no attacker can fill the log.
create unique index audit_log_failed_sign_ins on audit_log (customer_id, row_id, (after ->> 'hour'), address)
  where table_name = 'sign_ins' and after ->> 'hour' is not null;
create index audit_log_sign_ins on audit_log (at) where table_name = 'sign_ins';
create function note_failed_sign_in(of_customer bigint, of_user bigint, from_address text, with_device text, factor text, call text)
returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  hour constant text := to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD HH24');
  addresses integer;
  is_known boolean;
begin
  select count(*), coalesce(bool_or(a.address = from_address), false) into addresses, is_known from public.audit_log a
  where a.customer_id = of_customer and a.table_name = 'sign_ins' and a.row_id = of_user::text
    and a.after ->> 'hour' = hour;
  if addresses >= 20 and not is_known then
    from_address := 'Other addresses';
    with_device := null;
  end if;
  insert into public.audit_log (customer_id, endpoint, operation, table_name, row_id, after,
    address, device)
  select u.customer_id, call, 'event', 'sign_ins', u.id::text,
    jsonb_build_object('event', 'failed to sign in', 'person', u.first_name || ' ' || u.last_name, 'outcome', 'failed',
      'factor', factor, 'hour', hour, 'times', 1),
    from_address, with_device
  from public.users u where u.customer_id = of_customer and u.id = of_user
  on conflict (customer_id, row_id, (after ->> 'hour'), address)
    where table_name = 'sign_ins' and after ->> 'hour' is not null
  do update set device = coalesce(audit_log.device, excluded.device),
    after = audit_log.after || jsonb_build_object('times', (audit_log.after ->> 'times')::int + 1, 'last', app_now(),
      'factor', case when audit_log.after ->> 'factor' = factor then factor else 'password or code' end);
end
$$;
revoke execute on function note_failed_sign_in(bigint, bigint, text, text, text, text) from public;
grant execute on function note_failed_sign_in(bigint, bigint, text, text, text, text) to forecourt_iam;

-- Sign-ins are kept for 400 days, failed ones for 90.
create function forget_sign_ins() returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from public.audit_log where table_name = 'sign_ins' and (at < public.app_now() - interval '400 days'
    or (after ->> 'outcome' = 'failed' and at < public.app_now() - interval '90 days'))
$$;
revoke execute on function forget_sign_ins() from public;
grant execute on function forget_sign_ins() to forecourt_iam;

-- The history of a user's sign-ins, which identity shows to those who may see sessions.
grant select on audit_log to forecourt_iam;
create policy sign_ins on audit_log for select to forecourt_iam using (table_name = 'sign_ins');
