-- What buyers see changed: a vehicle was sold or held, a lot was hidden or shown again, or a vehicle for sale has another total.
-- The files of channels follow. Written by the triggers below in the transaction of each change, and only added to and deleted
-- from, so that changes never wait for a run (docs/decisions/0293-channels-follow-sales-and-prices.md).
create table channel_requests (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  at timestamptz not null default app_now(),
  -- The user who made the change; null: a feed, a schedule or the clock did.
  requested_by text,
  primary key (customer_id, id)
);
call protect_tenant_table('channel_requests', array['id'], operations => 'select, delete', audited => false);
create policy queue on channel_requests to forecourt_jobs using (true);
grant select, delete on channel_requests to forecourt_jobs;
grant select (is_active) on channels to forecourt_jobs;

alter table channel_states
  -- The first change that the delivered file doesn't have yet.
  add column changed_at timestamptz,
  -- The user who made a change during a run.
  add column changed_by text,
  -- A channel whose file takes long is at work for half of the time at most.
  add column rests_until timestamptz;
-- The first change that this run's file is about; null: none since the run before.
alter table channel_runs add column changed_at timestamptz;

create or replace function run_channels_of(owners bigint[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into channel_requests (customer_id, requested_by)
  select o.id, nullif(current_setting('app.actor_name', true), '') from unnest(owners) o (id)
  where exists (select from channel_states s where s.customer_id = o.id and s.current_run_id is not null)
$$;

-- Also back in the files as soon as it is for sale again.
create or replace function run_channels_without_vehicles() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  owners bigint[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct o.customer_id) into owners from old_rows o where o.publishable;
  else
    select array_agg(distinct o.customer_id) into owners from old_rows o
    join new_rows n on n.customer_id = o.customer_id and n.id = o.id where o.publishable <> n.publishable;
  end if;
  if owners is not null then
    perform run_channels_of(owners);
  end if;
  return null;
end
$$;

create function run_channels_with_prices() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform run_channels_of(array(
    select distinct n.customer_id from new_rows n cross join lateral (
      -- Along the key, however many vehicles there are.
      select publishable from vehicles where customer_id = n.customer_id and id = n.vehicle_id offset 0
    ) v where v.publishable));
  return null;
end
$$;
create trigger channels_insert after insert on vehicle_price_history referencing new table as new_rows
  for each statement execute function run_channels_with_prices();
