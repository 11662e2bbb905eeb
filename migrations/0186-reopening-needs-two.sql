-- What two people approved is unlocked or reopened by two people: one asks for it with a reason, another one confirms it.
create table inventory_reopenings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  former_status text not null check (former_status in ('approved', 'locked')),
  -- The status it gets once it is confirmed.
  status text not null check (status in ('approved', 'collecting')),
  reason text not null,
  -- Who asked, and while impersonating, as whom. No foreign keys: the history outlives its users.
  requester_id bigint default nullif(current_setting('app.actor_user_id', true), '')::bigint,
  effective_requester_id bigint default nullif(current_setting('app.effective_user_id', true), '')::bigint,
  requested_by text default nullif(current_setting('app.actor_name', true), ''),
  requested_at timestamptz not null default app_now(),
  -- Null: nobody has decided yet.
  decision text check (decision in ('confirmed', 'declined', 'withdrawn')),
  decision_reason text,
  decider_id bigint,
  effective_decider_id bigint,
  decided_by text,
  decided_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id),
  constraint inventory_reopenings_decided check ((decision is null) = (decided_at is null))
);
create index inventory_reopenings_inventory on inventory_reopenings (customer_id, organization_id, inventory_id, id);
create unique index inventory_reopenings_open on inventory_reopenings (customer_id, inventory_id) where decision is null;
call protect_tenant_table('inventory_reopenings', array['id'], by_organization => true, operations => 'select, insert');
grant update (decision, decision_reason, decider_id, effective_decider_id, decided_by, decided_at) on inventory_reopenings
  to forecourt_app;

-- A decision is final.
create function keep_reopening_decision() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' or old.decision is not null then
    raise exception 'Reopening % was decided.', old.id using errcode = 'check_violation', constraint = 'never_changed';
  end if;
  return new;
end
$$;
create trigger decided before update or delete on inventory_reopenings for each row execute function keep_reopening_decision();
create trigger never_emptied before truncate on inventory_reopenings for each statement execute function refuse_change();

-- The request that a status change confirmed.
alter table inventory_status_events add column reopening_id bigint;
alter table inventory_status_events add foreign key (customer_id, reopening_id) references inventory_reopenings (customer_id, id);
create index inventory_status_events_reopening on inventory_status_events (customer_id, reopening_id) where reopening_id is not null;
