-- Emissions of a record in one month. `part`: the activity itself, its biogenic CO2 where published separately, upstream fuel
-- emissions, grid losses, and upstream emissions of the losses. `method` is for scope 2 only. There is no foreign key to the
-- source, which would be checked for each of a million rows: results are written while the source is locked, and deleted with
-- the source by one statement.
create table calculation_results (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  inventory_id bigint not null,
  facility_id bigint not null,
  source_id bigint not null,
  record_id bigint not null,
  record_version integer not null,
  month date not null,
  part text not null check (part in ('main', 'outside', 'upstream', 'losses', 'upstream_losses')),
  scope text not null,
  method text check (method in ('location', 'market')),
  -- The month's share of the record, in the record's unit.
  quantity numeric,
  -- The included share, in the factor's unit.
  amount numeric,
  -- kg CO2e in the scopes; null: no result, and `problem` says why.
  kg numeric,
  co2 numeric,
 ch4 numeric,
 n2o numeric,
 hfc numeric,
 pfc numeric,
 sf6 numeric,
 nf3 numeric,
  -- Published as CO2e without a breakdown by gas.
  undivided numeric,
  -- kg of biogenic CO2, and kg CO2e of gases outside the Kyoto Protocol; both are outside the scopes.
  biogenic_kg numeric,
  other_kg numeric,
  factor_id bigint,
  conversion text,
  gwp_set text not null,
  -- In percent.
  inclusion numeric,
  inclusion_reason text not null,
  formula text,
  problem text,
  flags text[],
  engine_version integer not null,
  calculated_at timestamptz not null default app_now(),
  -- Null in results from before calculation_routes: those contain gases and texts themselves.
  route_id bigint,
  primary key (customer_id, id),
  unique nulls not distinct (customer_id, record_id, month, part, method),
  check ((kg is null) = (problem is not null)),
  check (route_id is not null or flags is not null)
);
create index calculation_results_source on calculation_results (customer_id, organization_id, source_id, month);
call protect_tenant_table('calculation_results', array['id'], by_organization => true, operations => 'select, insert, delete',
  audited => false);

-- For coverage: which records of a source have no result.
create index calculation_results_missing on calculation_results (customer_id, source_id, record_id) where kg is null;
create index calculation_results_route on calculation_results (customer_id, route_id);

-- Sums of results, so that screens need not read a million rows.
create table calculation_totals (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  inventory_id bigint not null,
  facility_id bigint not null,
  source_id bigint not null,
  month date not null,
  part text not null,
  scope text not null,
  method text,
  factor_id bigint,
  results integer not null,
  -- Results without a figure.
  missing integer not null,
  estimated integer not null,
  amount numeric,
  kg numeric not null,
  co2 numeric,
 ch4 numeric,
 n2o numeric,
 hfc numeric,
 pfc numeric,
 sf6 numeric,
 nf3 numeric,
 undivided numeric,
  biogenic_kg numeric not null,
  other_kg numeric not null,
  primary key (customer_id, id),
  unique nulls not distinct (customer_id, source_id, month, part, method, factor_id),
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade
);
create index calculation_totals_inventory on calculation_totals (customer_id, organization_id, inventory_id);
create index calculation_totals_source on calculation_totals (customer_id, organization_id, source_id);
call protect_tenant_table('calculation_totals', array['source_id'], by_organization => true, operations => 'select, insert, delete',
  audited => false);
create index calculation_totals_factor on calculation_totals (customer_id, factor_id);

-- Sources whose results are out of date. Filled by triggers, whatever causes the change.
create table stale_sources (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  source_id bigint not null,
  organization_id bigint not null,
  inventory_id bigint not null,
  since timestamptz not null default app_now(),
  primary key (customer_id, source_id),
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade
);
create index stale_sources_inventory on stale_sources (customer_id, organization_id, source_id);
call protect_tenant_table('stale_sources', array['source_id'], by_organization => true, audited => false);
create policy queue on stale_sources to forecourt_jobs using (true);
grant select on stale_sources to forecourt_jobs;

-- Approved, locked and restated inventories are never recalculated.
create function mark_stale(customer bigint, sources bigint[]) returns void language sql security definer
set search_path = pg_catalog, public, pg_temp as $$
  insert into public.stale_sources (customer_id, source_id, organization_id, inventory_id)
  select s.customer_id, s.id, s.organization_id, s.inventory_id
  from public.emission_sources s
  join public.carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
  where s.customer_id = customer and s.id = any(sources) and i.status in ('draft', 'collecting', 'in_review')
  order by s.id
  on conflict (customer_id, source_id) do update set since = public.app_clock_timestamp()
$$;
revoke execute on function mark_stale(bigint, bigint[]) from public;

create function stale_by_records() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform public.mark_stale(c.customer_id, array_agg(c.source_id))
  from (select distinct customer_id, source_id from changed) c group by c.customer_id;
  return null;
end
$$;
create trigger stale_after_insert after insert on activity_records referencing new table as changed
  for each statement execute function stale_by_records();

-- A review does not change results. Grouped instead of joined: a join planned for few rows took time proportional to the
-- square of the rows of a statement.
create function stale_by_replaced_records() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform public.mark_stale(c.customer_id, array_agg(c.source_id))
  from (select distinct v.customer_id, v.source_id from (
      select s.customer_id, s.source_id, min(s.replaced_at) as before, max(s.replaced_at) as after, count(s.replaced_at) as replaced
      from (select customer_id, id, version, source_id, replaced_at from former
        union all select customer_id, id, version, source_id, replaced_at from changed) s
      group by s.customer_id, s.id, s.version, s.source_id) v
    where v.replaced = 1 or v.before is distinct from v.after) c
  group by c.customer_id;
  return null;
end
$$;
create trigger stale_after_update after update on activity_records referencing old table as former new table as changed
  for each statement execute function stale_by_replaced_records();

create function stale_by_row() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  present constant jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  wanted_customer constant bigint := (present ->> 'customer_id')::bigint;
  found_sources bigint[];
begin
  found_sources := case tg_table_name
    when 'emission_sources' then array[(present ->> 'id')::bigint]
    when 'instrument_allocations' then array[(present ->> 'source_id')::bigint]
    when 'instruments' then array(select a.source_id from public.instrument_allocations a
      where a.customer_id = wanted_customer and a.instrument_id = (present ->> 'id')::bigint)
    when 'carbon_inventories' then array(select s.id from public.emission_sources s
      where s.customer_id = wanted_customer and s.inventory_id = (present ->> 'id')::bigint)
    when 'inventory_scope3' then array(select s.id from public.emission_sources s
      where s.customer_id = wanted_customer and s.inventory_id = (present ->> 'inventory_id')::bigint)
    when 'inventory_facilities' then array(select s.id from public.emission_sources s
      where s.customer_id = wanted_customer and s.inventory_id = (present ->> 'inventory_id')::bigint
        and s.facility_id = (present ->> 'facility_id')::bigint)
    when 'emission_factors' then array(select s.id from public.emission_sources s where s.customer_id = wanted_customer
      and (present ->> 'activity' in (s.activity, 'outside/' || split_part(s.activity, '/', 2),
          'well-to-tank/' || s.activity, 'losses/' || split_part(s.activity, '/', 1))
        or exists (select from public.calculation_totals r where r.customer_id = s.customer_id and r.source_id = s.id
          and r.factor_id = (present ->> 'id')::bigint)))
    -- What stands below a facility is included by what holds of it.
    else array(with recursive below(id) as (
        select coalesce(present ->> 'facility_id', present ->> 'id')::bigint
        union select f.id from public.facilities f join below b on f.customer_id = wanted_customer and f.parent_id = b.id)
      select s.id from public.emission_sources s join below b on b.id = s.facility_id where s.customer_id = wanted_customer)
  end;
  perform public.mark_stale(wanted_customer, found_sources);
  return null;
end
$$;
create trigger stale after update of activity, scope, facility_id, factor_id on emission_sources
  for each row execute function stale_by_row();
create trigger stale after insert or update or delete on instrument_allocations for each row execute function stale_by_row();
create trigger stale after update on instruments for each row execute function stale_by_row();
create trigger stale after update of period_start, period_end, boundary, gwp_set, datasets, year_rule, status on carbon_inventories
  for each row when ((old.period_start, old.period_end, old.boundary, old.gwp_set, old.datasets, old.year_rule)
      is distinct from (new.period_start, new.period_end, new.boundary, new.gwp_set, new.datasets, new.year_rule)
    or (old.status in ('approved', 'locked', 'restated') and new.status in ('draft', 'collecting', 'in_review')))
  execute function stale_by_row();
create trigger stale after insert or update or delete on inventory_scope3 for each row execute function stale_by_row();
create trigger stale after insert or update or delete on inventory_facilities for each row execute function stale_by_row();
create trigger stale after insert or update or delete on emission_factors for each row execute function stale_by_row();
create trigger stale after update of country, region, grid_region, opened_on, closed_on, parent_id on facilities
  for each row execute function stale_by_row();
create trigger stale after insert or update or delete on facility_control for each row execute function stale_by_row();

-- How a record was calculated. Results of a million records differ in quantities, not in wording, so the common part is stored
-- once. Rows never change, so a result can be explained for years.
create table calculation_routes (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  inventory_id bigint not null,
  -- Hash of everything below: equal rows are stored once per inventory.
  digest text not null,
  part text not null check (part in ('main', 'outside', 'upstream', 'losses', 'upstream_losses')),
  scope text not null,
  method text check (method in ('location', 'market')),
  factor_id bigint,
  -- From the record's unit to the factor's unit.
  multiplier numeric not null,
  -- Per unit of the factor: kg CO2e in the scopes, and the same by gas.
  co2e numeric,
  co2 numeric,
 ch4 numeric,
 n2o numeric,
 hfc numeric,
 pfc numeric,
 sf6 numeric,
 nf3 numeric,
  undivided numeric,
  biogenic numeric not null,
  other numeric not null,
  conversion text,
  -- With placeholders for the quantity, the share and the result.
  formula text,
  problem text,
  flags text[] not null,
  primary key (customer_id, id),
  unique (customer_id, inventory_id, digest),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade
);
call protect_tenant_table('calculation_routes', array['id'], by_organization => true, operations => 'select, insert, delete',
  audited => false);

create function forget_results() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.calculation_results r using gone
  where r.customer_id = gone.customer_id and r.organization_id = gone.organization_id and r.source_id = gone.id;
  return null;
end
$$;
create trigger results_after_delete after delete on emission_sources referencing old table as gone
  for each statement execute function forget_results();
