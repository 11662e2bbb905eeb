-- Approvals say what was approved and what was missing, and nothing that a frozen figure depends on can be deleted.

-- Every status change of an inventory: who, when and why. An approval also has the total the approver saw, and what was
-- missing at the time. Rows are never changed.
create table inventory_status_events (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  former_status text not null,
  status text not null,
  reason text,
  -- kg CO2e by both methods of scope 2; only for approvals.
  location numeric,
  market numeric,
  -- [{"kind", "sentence"}]: what was missing at the approval.
  gaps jsonb not null default '[]' check (jsonb_typeof(gaps) = 'array'),
  -- The user and, while impersonating, whom they acted as. No foreign keys: the history outlives its users.
  user_id bigint default nullif(current_setting('app.actor_user_id', true), '')::bigint,
  effective_user_id bigint default nullif(current_setting('app.effective_user_id', true), '')::bigint,
  user_name text default nullif(current_setting('app.actor_name', true), ''),
  created_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade
);
create index inventory_status_events_inventory on inventory_status_events (customer_id, organization_id, inventory_id, id);
call protect_tenant_table('inventory_status_events', array['id'], by_organization => true, operations => 'select, insert');

-- The facilities of a frozen inventory as they were when it was approved: later changes of ownership, control, names or
-- opening dates don't change its boundary or its coverage. Facilities can be deleted later, so no foreign key holds them.
create table inventory_facility_snapshots (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  facility_id bigint not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  code text not null,
  name text not null,
  level text not null,
  type text,
  country text,
  opened_on date,
  closed_on date,
  -- [{"from", "to", "percent", "reason"}] over the inventory's period.
  spans jsonb not null check (jsonb_typeof(spans) = 'array'),
  primary key (customer_id, inventory_id, facility_id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade
);
create index inventory_facility_snapshots_inventory on inventory_facility_snapshots (customer_id, organization_id, inventory_id);
create trigger frozen before insert or update or delete on inventory_facility_snapshots
  for each row execute function keep_inventory_frozen();
call protect_tenant_table('inventory_facility_snapshots', array['inventory_id', 'facility_id'], by_organization => true,
  operations => 'select, insert, delete', audited => false);

-- The names of the people when the inventory was approved, for when a user is renamed or deleted. Null while it is open.
alter table carbon_inventories add column owner_name text, add column reviewer_name text, add column approver_name text;

-- The result that was approved with a record, by both methods of scope 2, in kg CO2e; null: it had no result. If the result
-- changes later, the record has to be reviewed again.
alter table activity_records
  add column approved_location numeric,
  add column approved_market numeric,
  add column approved_at timestamptz,
  add column approved_by text,
  add column submitted_by_name text;
grant update (approved_location, approved_market, approved_at, approved_by, submitted_by_name) on activity_records to forecourt_app;

-- A factor that a result, a source or a record uses can't be deleted, in whatever organization and however it is tried.
create index activity_records_factor on activity_records (customer_id, factor_id) where factor_id is not null;
create index emission_sources_factor on emission_sources (customer_id, factor_id) where factor_id is not null;
create function keep_used_factor() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from public.calculation_totals r where r.customer_id = old.customer_id and r.factor_id = old.id)
    or exists (select from public.emission_sources s where s.customer_id = old.customer_id and s.factor_id = old.id)
    or exists (select from public.activity_records a where a.customer_id = old.customer_id and a.factor_id = old.id
      and a.replaced_at is null) then
    raise exception 'Emission factor % is in use.', old.id
      using errcode = 'foreign_key_violation', constraint = 'emission_factor_in_use';
  end if;
  return old;
end
$$;
create trigger in_use before delete on emission_factors for each row execute function keep_used_factor();
-- The gases of a factor go with it, and only with it.
revoke delete on emission_factor_gases from forecourt_app;
