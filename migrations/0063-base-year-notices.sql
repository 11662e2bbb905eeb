-- A change beyond the recalculation threshold in the boundary or the factors of a frozen base year is noticed, and stays
-- visible until the base year is recalculated or someone dismisses it with a reason.

-- Base years to check, filled by what also marks sources as stale.
create table base_year_checks (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  since timestamptz not null default app_now(),
  primary key (customer_id, inventory_id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade
);
create index base_year_checks_inventory on base_year_checks (customer_id, organization_id, inventory_id);
call protect_tenant_table('base_year_checks', array['inventory_id'], by_organization => true, audited => false);
create policy queue on base_year_checks to forecourt_jobs using (true);
grant select on base_year_checks to forecourt_jobs;

create table base_year_notices (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- The day whose boundary was applied to the whole base year.
  as_of date not null,
  -- kg CO2e as approved, with today's factors, and with today's factors and boundary.
  location numeric not null,
  market numeric not null,
  factor_location numeric not null,
  factor_market numeric not null,
  new_location numeric not null,
  new_market numeric not null,
  -- [{"facilityId", "facilityName", "before", "after", "reason"}] in kg CO2e, location-based.
  facilities jsonb not null check (jsonb_typeof(facilities) = 'array'),
  raised_at timestamptz not null default app_now(),
  dismissed_at timestamptz,
  dismissed_by text,
  dismissed_reason text,
  primary key (customer_id, inventory_id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  check ((dismissed_at is null) = (dismissed_reason is null))
);
create index base_year_notices_inventory on base_year_notices (customer_id, organization_id, inventory_id);
call protect_tenant_table('base_year_notices', array['inventory_id'], by_organization => true);

create or replace function mark_stale(customer bigint, sources bigint[]) returns void language sql security definer
set search_path = pg_catalog, public, pg_temp as $$
  insert into public.stale_sources (customer_id, source_id, organization_id, inventory_id)
  select s.customer_id, s.id, s.organization_id, s.inventory_id
  from public.emission_sources s
  join public.carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
  where s.customer_id = customer and s.id = any(sources) and i.status in ('draft', 'collecting', 'in_review')
  order by s.id
  on conflict (customer_id, source_id) do update set since = public.app_clock_timestamp();
  -- The figures of a frozen inventory stay. For a base year it is checked how much they would change.
  insert into public.base_year_checks (customer_id, inventory_id, organization_id)
  select distinct i.customer_id, i.id, i.organization_id
  from public.emission_sources s
  join public.carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
  where s.customer_id = customer and s.id = any(sources) and i.is_base_year and i.status in ('approved', 'locked')
  order by i.id
  on conflict (customer_id, inventory_id) do update set since = public.app_clock_timestamp()
$$;
