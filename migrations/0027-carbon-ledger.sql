-- What was measured, what it comes to, and what electricity was bought by. Records are only added to: a change is a new
-- version, and the former one says when it was replaced. Results follow from records and are never written by hand.
create sequence activity_ids;
grant usage on sequence activity_ids to forecourt_app;

create table activity_records (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint not null default nextval('activity_ids'),
  version integer not null default 1,
  organization_id bigint not null,
  source_id bigint not null,
  kind text not null check (kind in ('calculated', 'own_factor', 'direct', 'estimate', 'meter')),
  quantity numeric(28, 12) check (quantity >= 0),
  unit text,
  calorific_basis text check (calorific_basis in ('gross', 'net')),
  period_start date not null,
  -- The last day of the period.
  period_end date not null,
  meter_from numeric(28, 12),
  meter_to numeric(28, 12),
  -- Chosen by hand; null: the engine chooses.
  factor_id bigint,
  quality integer check (quality between 1 and 5),
  estimate_method text check (estimate_method in ('same_month_last_year', 'average', 'floor_area', 'other')),
  -- Emissions that were measured: gas, kg, and whether they are kg of it or kg CO2e.
  direct jsonb check (jsonb_typeof(direct) = 'array'),
  price_year integer,
  -- Of money: units of the factor's currency for one of the bill's, and prices of the factor's year for one of the bill's.
  money_rate numeric(28, 12) check (money_rate > 0),
  money_deflator numeric(28, 12) check (money_deflator > 0),
  -- Number of the bill.
  reference text,
  comment text,
  status text not null default 'draft' check (status in ('draft', 'submitted', 'approved', 'returned')),
  review_comment text,
  submitted_by bigint,
  created_at timestamptz not null default now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  created_by_id bigint default nullif(current_setting('app.effective_user_id', true), '')::bigint,
  -- Null: it stands. Else it was replaced by the next version, by a bill in place of an estimate, or deleted.
  replaced_at timestamptz,
  replaced_how text check (replaced_how in ('changed', 'deleted', 'billed')),
  primary key (customer_id, id, version),
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id),
  constraint activity_records_days check (period_end >= period_start),
  constraint activity_records_whole check (case when kind = 'direct' then direct is not null
    else quantity is not null and unit is not null end),
  constraint activity_records_meter check (kind <> 'meter' or (meter_from is not null and meter_to is not null
    and quantity = meter_to - meter_from)),
  check ((replaced_at is null) = (replaced_how is null))
);
create unique index activity_records_current on activity_records (customer_id, id) where replaced_at is null;
create index activity_records_source on activity_records (customer_id, source_id, period_start, id) where replaced_at is null;
create index activity_records_all on activity_records (customer_id, organization_id, source_id);
call protect_tenant_table('activity_records', array['id', 'version'], by_organization => true, operations => 'select, insert');
grant update (status, review_comment, submitted_by, replaced_at, replaced_how) on activity_records to forecourt_app;

-- How electricity and heat were bought: certificates for a quantity, the rate of a supplier, the residual mix.
create table instruments (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  inventory_id bigint not null,
  kind text not null check (kind in ('certificate', 'supplier_rate', 'residual_mix')),
  name text not null,
  -- Of certificates: how much they cover.
  quantity numeric(28, 12) check (quantity > 0),
  unit text not null,
  kg_co2e numeric(28, 12) not null check (kg_co2e >= 0),
  -- Where the figure or the certificates are from, so that an auditor finds them.
  source_note text not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  check ((kind = 'certificate') = (quantity is not null))
);
create index instruments_inventory on instruments (customer_id, organization_id, inventory_id);
create trigger frozen before insert or update or delete on instruments for each row execute function keep_inventory_frozen();
create trigger touch before update on instruments for each row execute function touch_row();
call protect_tenant_table('instruments', array['id'], by_organization => true);

create table instrument_allocations (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  instrument_id bigint not null,
  source_id bigint not null,
  organization_id bigint not null,
  -- Of certificates, in the unit of the instrument.
  quantity numeric(28, 12) check (quantity > 0),
  primary key (customer_id, instrument_id, source_id),
  foreign key (customer_id, organization_id, instrument_id) references instruments (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade
);
create index instrument_allocations_source on instrument_allocations (customer_id, organization_id, source_id);
call protect_tenant_table('instrument_allocations', array['instrument_id', 'source_id'], by_organization => true);

-- What a record comes to in one month. `part`: the activity itself, its CO2 of plants that the publisher prints apart,
-- its fuel's way to the tank, what the grid loses, and the way to the tank of that. `method` is of scope 2 alone.
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
  -- The month's share of the record, in its unit.
  quantity numeric,
  -- What counts of it, in the unit of the factor.
  amount numeric,
  -- kg CO2e in the scopes; null: there is no result, and `problem` says why.
  kg numeric,
  co2 numeric, ch4 numeric, n2o numeric, hfc numeric, pfc numeric, sf6 numeric, nf3 numeric,
  -- Published as CO2e without its gases.
  undivided numeric,
  -- kg of CO2 of plants, and kg CO2e of gases outside the Kyoto Protocol, both beside the scopes.
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
  flags text[] not null,
  engine_version integer not null,
  calculated_at timestamptz not null default now(),
  primary key (customer_id, id),
  unique nulls not distinct (customer_id, record_id, month, part, method),
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade,
  check ((kg is null) = (problem is not null))
);
create index calculation_results_source on calculation_results (customer_id, organization_id, source_id, month);
create index calculation_results_factor on calculation_results (customer_id, factor_id);
call protect_tenant_table('calculation_results', array['id'], by_organization => true, operations => 'select, insert, delete',
  audited => false);

-- Sums of results: what screens read instead of a million rows.
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
  -- How many of them are no result.
  missing integer not null,
  estimated integer not null,
  amount numeric,
  kg numeric not null,
  co2 numeric, ch4 numeric, n2o numeric, hfc numeric, pfc numeric, sf6 numeric, nf3 numeric, undivided numeric,
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

-- Sources whose results no longer follow from what stands. Filled by the database itself, whoever changes what.
create table stale_sources (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  source_id bigint not null,
  organization_id bigint not null,
  inventory_id bigint not null,
  since timestamptz not null default now(),
  primary key (customer_id, source_id),
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade
);
create index stale_sources_inventory on stale_sources (customer_id, organization_id, source_id);
call protect_tenant_table('stale_sources', array['source_id'], by_organization => true, audited => false);
create policy queue on stale_sources to forecourt_jobs using (true);
grant select on stale_sources to forecourt_jobs;

-- Nothing of an inventory that is approved, locked or restated is ever reckoned again.
create function mark_stale(customer bigint, sources bigint[]) returns void language sql security definer
set search_path = pg_catalog, public, pg_temp as $$
  insert into public.stale_sources (customer_id, source_id, organization_id, inventory_id)
  select s.customer_id, s.id, s.organization_id, s.inventory_id
  from public.emission_sources s
  join public.carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
  where s.customer_id = customer and s.id = any(sources) and i.status in ('draft', 'collecting', 'in_review')
  order by s.id
  on conflict (customer_id, source_id) do update set since = clock_timestamp()
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
-- A review changes no result.
create function stale_by_replaced_records() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform public.mark_stale(c.customer_id, array_agg(c.source_id))
  from (select distinct n.customer_id, n.source_id from changed n
    join former o on o.customer_id = n.customer_id and o.id = n.id and o.version = n.version
    where o.replaced_at is distinct from n.replaced_at) c group by c.customer_id;
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
        or exists (select from public.calculation_results r where r.customer_id = s.customer_id and r.source_id = s.id
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
  for each row execute function stale_by_row();
create trigger stale after insert or update or delete on inventory_scope3 for each row execute function stale_by_row();
create trigger stale after insert or update or delete on inventory_facilities for each row execute function stale_by_row();
create trigger stale after insert or update or delete on emission_factors for each row execute function stale_by_row();
create trigger stale after update of country, grid_region, opened_on, closed_on, parent_id on facilities
  for each row execute function stale_by_row();
create trigger stale after insert or update or delete on facility_control for each row execute function stale_by_row();

-- A locked period takes no record, whichever way it comes.
create function refuse_locked_period() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from changed c
    join public.emission_sources s on s.customer_id = c.customer_id and s.id = c.source_id
    join public.carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where i.status not in ('draft', 'collecting', 'in_review')) then
    raise exception 'The inventory is not open.' using errcode = 'check_violation', constraint = 'carbon_inventory_frozen';
  end if;
  return null;
end
$$;
create trigger locked_after_insert after insert on activity_records referencing new table as changed
  for each statement execute function refuse_locked_period();
create trigger locked_after_update after update on activity_records referencing new table as changed
  for each statement execute function refuse_locked_period();
