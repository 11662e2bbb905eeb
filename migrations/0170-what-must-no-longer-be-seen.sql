-- Nothing leaves a customer that is suspended or closed: emails and deliveries wait for its reopening
-- (docs/decisions/0194-what-must-no-longer-be-seen.md). Across customers, for background work.
create function closed_customers() returns bigint[]
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(id), '{}') from customers where status <> 'active'
$$;
revoke execute on function closed_customers() from public;
grant execute on function closed_customers() to forecourt_jobs, forecourt_iam;

-- What was taken from buyers must leave the files of channels, too: a run within seconds if the file is downloaded, and within
-- a minute if it is sent. A user who did it has confirmed it, as one who runs the channel: a file that becomes much shorter is
-- not held. In the order of their IDs, so that two transactions don't wait for each other.
create function run_channels_of(owners bigint[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update channel_states s set next_run_at = d.at,
    requested_by = coalesce(s.requested_by, nullif(current_setting('app.actor_name', true), ''))
  from (
    select c.customer_id, c.channel_id,
      app_now() + case when ch.destination = 'pull' then interval '3 seconds' else interval '1 minute' end as at
    from channel_states c join channels ch on ch.customer_id = c.customer_id and ch.id = c.channel_id
    where c.customer_id = any(owners) and ch.is_active and c.current_run_id is not null
      and (c.next_run_at is null or c.next_run_at > app_now() + interval '1 minute')
    order by c.channel_id for update of c
  ) d
  where s.customer_id = d.customer_id and s.channel_id = d.channel_id
$$;
revoke execute on function run_channels_of(bigint[]) from public;

create function run_channels_without_vehicles() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  owners bigint[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct o.customer_id) into owners from old_rows o where o.publishable;
  else
    select array_agg(distinct o.customer_id) into owners from old_rows o
    join new_rows n on n.customer_id = o.customer_id and n.id = o.id where o.publishable and not n.publishable;
  end if;
  if owners is not null then
    perform run_channels_of(owners);
  end if;
  return null;
end
$$;
create trigger channels_update after update on vehicles referencing old table as old_rows new table as new_rows
  for each statement execute function run_channels_without_vehicles();
create trigger channels_delete after delete on vehicles referencing old table as old_rows
  for each statement execute function run_channels_without_vehicles();

create function run_channels_without_lots() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform run_channels_of(array[new.customer_id]);
  return null;
end
$$;
create trigger channels_update after update on lots for each row
  when (old.is_public and not new.is_public) execute function run_channels_without_lots();
