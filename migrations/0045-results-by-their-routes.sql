-- Results of a million records differ in quantities, not in words: everything that follows from the way a record was
-- reckoned stands once, and a result names it. Routes are never changed, so a result says for years how it came about.
create table calculation_routes (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  inventory_id bigint not null,
  -- Of everything below: the same route is kept once in an inventory.
  digest text not null,
  part text not null check (part in ('main', 'outside', 'upstream', 'losses', 'upstream_losses')),
  scope text not null,
  method text check (method in ('location', 'market')),
  factor_id bigint,
  -- From the unit of the record to the unit of the factor.
  multiplier numeric not null,
  -- For one unit of the factor: kg CO2e in the scopes, and the same by gas.
  co2e numeric,
  co2 numeric, ch4 numeric, n2o numeric, hfc numeric, pfc numeric, sf6 numeric, nf3 numeric,
  undivided numeric,
  biogenic numeric not null,
  other numeric not null,
  conversion text,
  -- With places for the quantity, the inclusion and the result.
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

-- Null in results that were reckoned before there were routes: those carry gases and words themselves, and keep them.
alter table calculation_results add column route_id bigint;
-- Beside a route: only what it does not say.
alter table calculation_results alter column flags drop not null;
alter table calculation_results add check (route_id is not null or flags is not null);
create index calculation_results_route on calculation_results (customer_id, route_id);

-- Which factors figures went by is asked of the sums, which are few.
drop index calculation_results_factor;
create index calculation_totals_factor on calculation_totals (customer_id, factor_id);

-- A key to the source was looked up for each of a million rows. Whoever writes results holds their sources instead, and
-- what hangs on a source goes with it in one statement.
alter table calculation_results drop constraint calculation_results_customer_id_organization_id_source_id_fkey;
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

create or replace function stale_by_row() returns trigger language plpgsql security definer
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
