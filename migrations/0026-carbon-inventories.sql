create extension if not exists btree_gist;

-- A greenhouse gas inventory: one organization, one period, one way to draw the boundary.
create table carbon_inventories (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  name text not null,
  period_start date not null,
  -- The last day of it.
  period_end date not null,
  boundary text not null check (boundary in ('operational', 'financial', 'equity')),
  gwp_set text not null default 'AR6' check (gwp_set in ('AR4', 'AR5', 'AR6')),
  status text not null default 'draft'
    check (status in ('draft', 'collecting', 'in_review', 'approved', 'locked', 'restated')),
  -- Why it has this status; who and when are in the audit log.
  status_reason text,
  -- Datasets of factors that come first, in order. They are the library's or the customer's, so no foreign key holds them.
  datasets bigint[] not null default '{}',
  -- edition: a factor is valid for the year of its edition. latest: else the newest edition before, which is said.
  year_rule text not null default 'edition' check (year_rule in ('edition', 'latest')),
  is_base_year boolean not null default false,
  -- In percent of the base year's total: a change beyond it asks for a recalculation.
  recalculation_threshold numeric(7, 4) not null default 5 check (recalculation_threshold between 0 and 100),
  owner_id bigint,
  reviewer_id bigint,
  approver_id bigint,
  -- Whoever owns it may not approve it.
  four_eyes boolean not null default true,
  -- The inventory whose figures this one corrects. That one stays as it was.
  restates_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, owner_id) references users (customer_id, id) on delete set null (owner_id),
  foreign key (customer_id, reviewer_id) references users (customer_id, id) on delete set null (reviewer_id),
  foreign key (customer_id, approver_id) references users (customer_id, id) on delete set null (approver_id),
  foreign key (customer_id, organization_id, restates_id) references carbon_inventories (customer_id, organization_id, id),
  constraint carbon_inventories_days check (period_end > period_start),
  constraint carbon_inventories_four_eyes check (not four_eyes or owner_id is distinct from approver_id or owner_id is null),
  constraint carbon_inventories_no_overlap exclude using gist (customer_id with =, organization_id with =, boundary with =,
    daterange(period_start, period_end, '[]') with &&) where (status <> 'restated')
);
create unique index carbon_inventories_base_year on carbon_inventories (customer_id, organization_id, boundary)
  where is_base_year and status <> 'restated';
create unique index carbon_inventories_restated_once on carbon_inventories (customer_id, restates_id);
create index carbon_inventories_period on carbon_inventories (customer_id, organization_id, period_start desc);
create trigger touch before update on carbon_inventories for each row execute function touch_row();
call protect_tenant_table('carbon_inventories', array['id'], by_organization => true);

-- What is approved, locked or restated stays as it is. Held while a row below it is written, so that nobody locks the
-- inventory in between. Tables of records below an inventory put this before each of their writes.
create function keep_inventory_frozen() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  former constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  present constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  found_status text;
begin
  -- A person who is deleted leaves every row that names them, in whatever inventory.
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return new;
  end if;
  for found_status in select status from public.carbon_inventories
    where customer_id = (coalesce(present, former) ->> 'customer_id')::bigint
      and id in ((former ->> 'inventory_id')::bigint, (present ->> 'inventory_id')::bigint) for share
  loop
    if found_status in ('approved', 'locked', 'restated') then
      raise exception 'Inventory % is %.', coalesce(present, former) ->> 'inventory_id', found_status
        using errcode = 'check_violation', constraint = 'carbon_inventory_frozen';
    end if;
  end loop;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- Which of the fifteen categories of scope 3 count, and why.
create table inventory_scope3 (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  category integer not null check (category between 1 and 15),
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  relevance text not null default 'not_assessed' check (relevance in ('relevant', 'not_relevant', 'not_assessed')),
  reason text,
  primary key (customer_id, inventory_id, category),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade
);
create trigger frozen before insert or update or delete on inventory_scope3 for each row execute function keep_inventory_frozen();
call protect_tenant_table('inventory_scope3', array['inventory_id', 'category'], by_organization => true);

-- What emissions are divided by.
create table intensity_denominators (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  place integer not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  kind text not null check (kind in ('revenue', 'floor_area', 'staff', 'vehicles_sold', 'own')),
  -- With kind own.
  name text,
  amount numeric(28, 12) not null check (amount > 0),
  unit text not null,
  primary key (customer_id, inventory_id, place),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  constraint intensity_denominators_named check ((kind = 'own') = (name is not null))
);
create trigger frozen before insert or update or delete on intensity_denominators for each row execute function keep_inventory_frozen();
call protect_tenant_table('intensity_denominators', array['inventory_id', 'place'], by_organization => true);

-- Facilities somebody decided about: one without a row is undecided. How much of one counts follows from who owned and
-- controlled it when, and stands nowhere here.
create table inventory_facilities (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  facility_id bigint not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  excluded boolean not null default false,
  reason text,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, inventory_id, facility_id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, facility_id) references facilities (customer_id, organization_id, id),
  constraint inventory_facilities_reason check (not excluded or reason is not null)
);
create index inventory_facilities_facility on inventory_facilities (customer_id, organization_id, facility_id);
create trigger frozen before insert or update or delete on inventory_facilities for each row execute function keep_inventory_frozen();
create trigger touch before update on inventory_facilities for each row execute function touch_row();
call protect_tenant_table('inventory_facilities', array['inventory_id', 'facility_id'], by_organization => true);

-- What emits at a facility, and who brings its figures. A source that is not assigned any more is closed, since activity
-- may hang on it.
create table emission_sources (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  facility_id bigint not null,
  -- Of the catalogue in the code.
  source_type text not null,
  -- The path of its factors in the library.
  activity text not null,
  scope text not null check (scope ~ '^(1|2|3\.([1-9]|1[0-5]))$'),
  -- In which its quantities are usually given.
  unit text not null,
  person_id bigint,
  due_on date,
  frequency text not null default 'month' check (frequency in ('month', 'quarter', 'year', 'once')),
  method text not null default 'calculated' check (method in ('calculated', 'own_factor', 'direct', 'estimate', 'meter')),
  -- Chosen by hand, of the library or the customer's own: no foreign key holds both. Null: chosen by the rules.
  factor_id bigint,
  closed boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  unique (customer_id, inventory_id, facility_id, source_type),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, inventory_id, facility_id) references inventory_facilities (customer_id, inventory_id, facility_id)
    on delete cascade,
  foreign key (customer_id, person_id) references users (customer_id, id) on delete set null (person_id)
);
create index emission_sources_person on emission_sources (customer_id, person_id, due_on) where not closed;
create trigger frozen before insert or update or delete on emission_sources for each row execute function keep_inventory_frozen();
create trigger touch before update on emission_sources for each row execute function touch_row();
call protect_tenant_table('emission_sources', array['id'], by_organization => true);
